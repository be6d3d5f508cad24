using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "worker", worker = .worker),
    # A worker reaches only public addresses by default; the sites of the tests are on loopback.
    (name = "loopback", network = (allow = ["private", "local"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "worker")],
);

const worker :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js")],
  # No compatibility with Node: what runs here needs web standards alone.
  compatibilityDate = "2024-09-02",
  globalOutbound = "loopback",
);
