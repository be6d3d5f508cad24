using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "worker", worker = .worker),
    (name = "worker_resume", worker = .workerResume),
    (name = "kv", worker = .kv),
    # A worker reaches only public addresses by default; the site of the test is on loopback.
    (name = "loopback", network = (allow = ["private", "local"])),
  ],
  sockets = [
    (name = "worker", address = "127.0.0.1:0", http = (), service = "worker"),
    (name = "worker_resume", address = "127.0.0.1:0", http = (), service = "worker_resume"),
  ],
);

# No compatibility with Node: what runs here needs web standards alone.
const worker :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js")],
  compatibilityDate = "2024-09-02",
  globalOutbound = "loopback",
);

const workerResume :Workerd.Worker = (
  modules = [(name = "worker_resume.js", esModule = embed "worker_resume.js")],
  compatibilityDate = "2024-09-02",
  bindings = [(name = "CRAWLS", kvNamespace = "kv"), (name = "MAX_REQUESTS", text = "3")],
  globalOutbound = "loopback",
);

# Workerd asks a KV namespace over HTTP: GET and PUT of a key.
const kv :Workerd.Worker = (
  modules = [(name = "kv.js", esModule = embed "kv.js")],
  compatibilityDate = "2024-09-02",
);
