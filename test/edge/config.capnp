using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "edge", worker = .edge),
    (name = "kv", worker = .kv),
    # A worker reaches only public addresses by default; the site of the test is on loopback.
    (name = "loopback", network = (allow = ["private", "local"])),
  ],
  sockets = [(name = "edge", address = "127.0.0.1:0", http = (), service = "edge")],
);

# No compatibility with Node: what runs here needs web standards alone.
const edge :Workerd.Worker = (
  modules = [(name = "edge.js", esModule = embed "edge.js")],
  compatibilityDate = "2024-09-02",
  bindings = [(name = "CRAWLS", kvNamespace = "kv"), (name = "MAX_REQUESTS", text = "3")],
  globalOutbound = "loopback",
);

# Workerd asks a KV namespace over HTTP: GET and PUT of a key.
const kv :Workerd.Worker = (
  modules = [(name = "kv.js", esModule = embed "kv.js")],
  compatibilityDate = "2024-09-02",
);
