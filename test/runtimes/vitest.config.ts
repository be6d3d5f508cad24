import { defineConfig, type ViteUserConfig } from "vitest/config";
import base from "../../vitest.config.ts";

const config: ViteUserConfig = defineConfig({
  test: { ...base.test, include: ["test/runtimes/**/*.test.ts"], exclude: ["**/node_modules/**"] },
});
export default config;
