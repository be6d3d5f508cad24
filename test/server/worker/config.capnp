using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "crawls", worker = .crawls),
    # A worker reaches only public addresses by default; the site of the test is on loopback.
    (name = "loopback", network = (allow = ["private", "local"])),
  ],
  sockets = [(name = "crawls", address = "127.0.0.1:0", http = (), service = "crawls")],
);

const crawls :Workerd.Worker = (
  modules = [(name = "crawls.js", esModule = embed "crawls.js")],
  compatibilityDate = "2024-09-02",
  bindings = [(name = "CRAWLS", durableObjectNamespace = "Crawls")],
  durableObjectNamespaces = [(className = "Crawls", uniqueKey = "crawls")],
  durableObjectStorage = (inMemory = void),
  globalOutbound = "loopback",
);
