using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "plain", worker = .plain),
    (name = "compat", worker = .compat),
    # A worker reaches only public addresses by default; the sites of the tests are on loopback.
    (name = "loopback", network = (allow = ["private", "local"])),
  ],
  sockets = [
    (name = "plain", address = "127.0.0.1:0", http = (), service = "plain"),
    (name = "compat", address = "127.0.0.1:0", http = (), service = "compat"),
  ],
);

# No compatibility with Node: what runs here needs web standards alone.
const plain :Workerd.Worker = (
  modules = [(name = "plain.js", esModule = embed "plain.js")],
  compatibilityDate = "2024-09-02",
  globalOutbound = "loopback",
);

# For tests that make their data with a module of Node, say gzip by node:zlib.
const compat :Workerd.Worker = (
  modules = [(name = "compat.js", esModule = embed "compat.js")],
  compatibilityDate = "2024-09-23",
  compatibilityFlags = ["nodejs_compat"],
  globalOutbound = "loopback",
);
