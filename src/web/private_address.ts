// What the IANA IPv4 Special-Purpose Address Registry does not call globally reachable, and multicast.
const PRIVATE_IPV4 = [
  "0.0.0.0/8", // this network: RFC 791
  "10.0.0.0/8", // private use: RFC 1918
  "100.64.0.0/10", // shared address space of carriers: RFC 6598; a cloud keeps its metadata there
  "127.0.0.0/8", // loopback: RFC 1122
  "168.63.129.16/32", // a cloud's platform services, in a range that is public otherwise
  "169.254.0.0/16", // link-local, and the metadata of most clouds: RFC 3927
  "172.16.0.0/12", // private use: RFC 1918
  // IETF protocol assignments: RFC 6890. The anycast addresses .9 and .10 in it lead to servers of one's own network.
  "192.0.0.0/24",
  "192.0.2.0/24", // documentation: RFC 5737
  "192.88.99.0/24", // deprecated 6to4 relay: RFC 7526
  "192.168.0.0/16", // private use: RFC 1918
  "198.18.0.0/15", // benchmarking: RFC 2544
  "198.51.100.0/24", // documentation: RFC 5737
  "203.0.113.0/24", // documentation: RFC 5737
  "224.0.0.0/4", // multicast: RFC 5771
  "240.0.0.0/4", // reserved, and the limited broadcast: RFC 1112, RFC 919
].map(ipv4Block);

// Where clouds tell a machine about itself, its keys among it, and the link-local ranges in which most of them do.
const METADATA_IPV4 = [
  "100.100.100.200/32",
  "168.63.129.16/32",
  "169.254.0.0/16", // link-local: RFC 3927
  "192.0.0.192/32",
].map(ipv4Block);
const METADATA_IPV6 = [
  "fe80::/10", // link-local: RFC 4291 §2.5.6
  "fd00:ec2::/32",
].map(ipv6Block);
const METADATA_NAME = /^(?:metadata|instance-data)(?:\.|$)/;

// What is not globally reachable within 2000::/3, the only global unicast space, as whole groups of 16 bits with the
// bits that count: the IANA IPv6 Special-Purpose Address Registry.
const GLOBAL_UNICAST = ipv6Block("2000::/3");
const PRIVATE_GLOBAL_UNICAST = [
  "2001::/23", // IETF protocol assignments: RFC 2928
  "2001:db8::/32", // documentation: RFC 3849
  "3fff::/20", // documentation: RFC 9637
].map(ipv6Block);
// What is globally reachable within 2001::/23 after all, but for the anycast addresses of one's own network.
const PUBLIC_ASSIGNMENTS = [
  "2001:3::/32", // AMT: RFC 7450
  "2001:4:112::/48", // AS112: RFC 7535
  "2001:20::/28", // ORCHIDv2: RFC 7343
  "2001:30::/28", // drone remote identification: RFC 9374
].map(ipv6Block);

// Forms that hold an IPv4 address, which decides in their place, and the group at which it begins.
const EMBEDDING = [
  { block: ipv6Block("::/96"), at: 6 }, // IPv4-compatible, deprecated: RFC 4291 §2.5.5.1; holds :: and ::1 too
  { block: ipv6Block("::ffff:0:0/96"), at: 6 }, // IPv4-mapped: RFC 4291 §2.5.5.2
  { block: ipv6Block("::ffff:0:0:0/96"), at: 6 }, // IPv4-translated: RFC 2765 §2.1
  { block: ipv6Block("64:ff9b::/96"), at: 6 }, // NAT64: RFC 6052
  { block: ipv6Block("2002::/16"), at: 1 }, // 6to4: RFC 3056
];
const TEREDO = ipv6Block("2001::/32");

// Names that only one's own machine or network can resolve: RFC 6761, RFC 6762, RFC 8375, ICANN's reservation of
// `internal`, and top levels in wide private use that were never delegated.
const PRIVATE_NAME = new RegExp(
  `(?:^|\\.)(?:${[
    ...["localhost", "local", "home\\.arpa", "internal", "localdomain"],
    ...["lan", "home", "corp", "intranet", "private", "svc"],
    "metadata\\.tencentyun\\.com", // a cloud's metadata, by a name that looks public
  ].join("|")})$`,
);

/**
 * Whether a host lies in one's own machine or network, or nowhere that the public internet could reach: loopback,
 * private, link-local, shared, documentation, benchmarking, multicast and reserved addresses, the metadata addresses
 * of clouds, and the names that resolve to such only, those without a dot among them.
 *
 * Every spelling that the URL parser takes for an IPv4 address is read (`0x7f.1`, `2852039166`), IPv6 with
 * brackets or without and with or without a zone, and the IPv4 address inside IPv4-mapped, -compatible, -translated,
 * NAT64, 6to4, Teredo and ISATAP forms. What can be read as no host counts as private: it is safer to refuse.
 *
 * A public-looking name may still resolve to a private address: look at the resolved address too, where the
 * runtime gives it.
 *
 * Source: the IANA IPv4 and IPv6 Special-Purpose Address Registries (RFC 6890).
 *
 * @param hostname as in `URL.hostname`, or an address as a resolver gives it.
 * @example
 * ```ts
 * isPrivateAddress(new URL("http://0x7f.1/").hostname); // true
 * ```
 */
export function isPrivateAddress(hostname: string): boolean {
  const host = normalise(hostname);
  if (host === undefined) return true;
  if (host.startsWith("[")) return isPrivateIPv6(ipv6Groups(host.slice(1, -1)));
  if (/^\d+\.\d+\.\d+\.\d+$/.test(host)) return isPrivateIPv4(ipv4Number(host));
  return !host.includes(".") || PRIVATE_NAME.test(host);
}

/**
 * Whether a host is one at which a cloud tells a machine about itself, or any link-local address: what no intranet's
 * page has a reason to lead to. Spellings are read as by {@link isPrivateAddress}.
 *
 * @param hostname as in `URL.hostname`.
 * @example
 * ```ts
 * isMetadataAddress("169.254.169.254"); // true
 * isMetadataAddress("192.168.0.1"); // false
 * ```
 */
export function isMetadataAddress(hostname: string): boolean {
  const host = normalise(hostname);
  if (host === undefined) return true;
  if (/^\d+\.\d+\.\d+\.\d+$/.test(host)) return isInIPv4(METADATA_IPV4, ipv4Number(host));
  if (!host.startsWith("[")) return METADATA_NAME.test(host);
  const groups = ipv6Groups(host.slice(1, -1));
  const embedded = embeddedIPv4(groups);
  if (embedded !== undefined) return isInIPv4(METADATA_IPV4, embedded);
  return METADATA_IPV6.some((block) => isWithin(groups, block));
}

/** The host as the URL parser writes it, without a final dot. */
function normalise(hostname: string): string | undefined {
  // The common case: a name in lower case whose last label no parser takes for a number.
  if (/^(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*$/.test(hostname)) return hostname;
  const isBareIPv6 = hostname.includes(":") && !hostname.startsWith("[");
  const host = isBareIPv6 ? `[${hostname}]` : hostname;
  try {
    // A zone is no part of the address, and no part of a URL.
    const url = new URL(`http://${host.replace(/%[^\]]*\]$/, "]")}/`);
    // Nothing but the host may have been read from it.
    return url.href === `http://${url.hostname}/` ? url.hostname.replace(/\.$/, "") : undefined;
  } catch {
    return undefined;
  }
}

function ipv4Number(address: string): number {
  return address.split(".").reduce((number, octet) => number * 256 + Number(octet), 0);
}

interface IPv4Block {
  first: number;
  size: number;
}

function ipv4Block(block: string): IPv4Block {
  const [address, bits] = block.split("/");
  return { first: ipv4Number(address!), size: 2 ** (32 - Number(bits)) };
}

function isInIPv4(blocks: readonly IPv4Block[], address: number): boolean {
  return blocks.some(({ first, size }) => address >= first && address < first + size);
}

function isPrivateIPv4(address: number): boolean {
  return isInIPv4(PRIVATE_IPV4, address);
}

/** The eight groups of an IPv6 address without a dotted part. */
function ipv6Groups(address: string): number[] {
  const [head, tail] = address.split("::").map((part) => part.split(":").filter((group) => group !== ""));
  const missing = 8 - head!.length - (tail?.length ?? 0);
  return [...head!, ...Array<string>(missing).fill("0"), ...(tail ?? [])].map((group) =>
    Number.parseInt(group, 16),
  );
}

interface IPv6Block {
  groups: readonly number[];
  bits: number;
}

function ipv6Block(block: string): IPv6Block {
  const [address, bits] = block.split("/");
  return { groups: ipv6Groups(address!), bits: Number(bits) };
}

function isWithin(address: readonly number[], { groups, bits }: IPv6Block): boolean {
  return groups.every((group, at) => {
    const shift = 16 - Math.min(Math.max(bits - at * 16, 0), 16);
    return address[at]! >> shift === group >> shift;
  });
}

function isPrivateIPv6(address: readonly number[]): boolean {
  const embedded = embeddedIPv4(address);
  if (embedded !== undefined) return isPrivateIPv4(embedded);
  // RFC 4380 §4: the server's address, and at the end the client's with its bits inverted.
  if (isWithin(address, TEREDO)) {
    return isPrivateIPv4(ipv4At(address, 2)) || isPrivateIPv4(0xffff_ffff - ipv4At(address, 6));
  }
  // RFC 5214 §6.1: ISATAP, an IPv4 address in the interface identifier of any prefix.
  if ((address[4]! & ~0x0200) === 0 && address[5] === 0x5efe && isPrivateIPv4(ipv4At(address, 6)))
    return true;
  if (!isWithin(address, GLOBAL_UNICAST)) return true;
  if (PUBLIC_ASSIGNMENTS.some((block) => isWithin(address, block))) return false;
  return PRIVATE_GLOBAL_UNICAST.some((block) => isWithin(address, block));
}

/** The IPv4 address that decides in place of the one that holds it. */
function embeddedIPv4(address: readonly number[]): number | undefined {
  const embedding = EMBEDDING.find(({ block }) => isWithin(address, block));
  return embedding === undefined ? undefined : ipv4At(address, embedding.at);
}

function ipv4At(address: readonly number[], group: number): number {
  return address[group]! * 65_536 + address[group + 1]!;
}
