/**
 * The registrable domain of a host: its public suffix and one label more. `undefined` where there is none: for an
 * IP address, a public suffix itself, a name without a dot.
 */
export type RegistrableDomain = (hostname: string) => string | undefined;

/**
 * Loads the public suffix list, and gives the function that reads a host's registrable domain by it. The list
 * weighs 50 KB in a compressed bundle, so it is loaded by this call and not with the module; a second call costs
 * nothing.
 *
 * Both divisions of the list count, as they do for a browser's notion of a site: two users of one hosting domain
 * (`alice.github.io`, `bob.github.io`) have two domains. Under a top level that the list does not know, the last
 * two labels are the domain.
 *
 * The function takes a host as in `URL.hostname`, without regard to case or to a final dot, which it takes off.
 *
 * Source: the algorithm of https://publicsuffix.org/list/, by the list in the package `tldts`.
 *
 * @example
 * ```ts
 * const registrableDomain = await loadRegistrableDomain();
 * registrableDomain("www.example.co.uk"); // "example.co.uk"
 * ```
 */
export async function loadRegistrableDomain(): Promise<RegistrableDomain> {
  const { getDomain } = await import("tldts");
  const options = { allowPrivateDomains: true, extractHostname: false, validateHostname: false };
  return (hostname) => {
    const domain = getDomain(hostname.toLowerCase(), options);
    // An empty label is none that anyone could register.
    return domain === null || domain.startsWith(".") ? undefined : domain;
  };
}
