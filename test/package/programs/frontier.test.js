import { memory } from "dragline";
import { describeFrontier } from "dragline/testing/frontier";

describeFrontier("memory()", memory);
