import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isMetadataAddress, isPrivateAddress } from "../../src/web/private_address.ts";

/** First and last address of each range, and the nearest ones outside, by the IANA special-purpose registries. */
const IPV4_RANGES = [
  { range: "this network", inside: ["0.0.0.0", "0.255.255.255"], outside: ["1.0.0.0"] },
  { range: "private use", inside: ["10.0.0.0", "10.255.255.255"], outside: ["9.255.255.255", "11.0.0.0"] },
  { range: "shared", inside: ["100.64.0.0", "100.127.255.255"], outside: ["100.63.255.255", "100.128.0.0"] },
  { range: "loopback", inside: ["127.0.0.0", "127.255.255.255"], outside: ["126.255.255.255", "128.0.0.0"] },
  {
    range: "link-local",
    inside: ["169.254.0.0", "169.254.255.255"],
    outside: ["169.253.255.255", "169.255.0.0"],
  },
  {
    range: "private use",
    inside: ["172.16.0.0", "172.31.255.255"],
    outside: ["172.15.255.255", "172.32.0.0"],
  },
  {
    range: "protocol assignments",
    inside: ["192.0.0.0", "192.0.0.255"],
    outside: ["191.255.255.255", "192.0.1.0"],
  },
  { range: "service continuity", inside: ["192.0.0.0", "192.0.0.7"], outside: [] },
  { range: "dummy", inside: ["192.0.0.8"], outside: [] },
  { range: "anycast of one's own network", inside: ["192.0.0.9", "192.0.0.10"], outside: [] },
  { range: "NAT64 discovery", inside: ["192.0.0.170", "192.0.0.171"], outside: [] },
  { range: "documentation 1", inside: ["192.0.2.0", "192.0.2.255"], outside: ["192.0.1.255", "192.0.3.0"] },
  { range: "AS112 (public)", inside: [], outside: ["192.31.196.0", "192.31.196.255"] },
  { range: "AMT (public)", inside: [], outside: ["192.52.193.0", "192.52.193.255"] },
  {
    range: "6to4 relay",
    inside: ["192.88.99.0", "192.88.99.255"],
    outside: ["192.88.98.255", "192.88.100.0"],
  },
  {
    range: "private use",
    inside: ["192.168.0.0", "192.168.255.255"],
    outside: ["192.167.255.255", "192.169.0.0"],
  },
  { range: "direct delegation AS112 (public)", inside: [], outside: ["192.175.48.0", "192.175.48.255"] },
  {
    range: "benchmarking",
    inside: ["198.18.0.0", "198.19.255.255"],
    outside: ["198.17.255.255", "198.20.0.0"],
  },
  {
    range: "documentation 2",
    inside: ["198.51.100.0", "198.51.100.255"],
    outside: ["198.51.99.255", "198.51.101.0"],
  },
  {
    range: "documentation 3",
    inside: ["203.0.113.0", "203.0.113.255"],
    outside: ["203.0.112.255", "203.0.114.0"],
  },
  { range: "multicast", inside: ["224.0.0.0", "239.255.255.255"], outside: ["223.255.255.255"] },
  { range: "reserved", inside: ["240.0.0.0", "255.255.255.254"], outside: [] },
  { range: "limited broadcast", inside: ["255.255.255.255"], outside: [] },
  {
    range: "cloud metadata",
    inside: ["169.254.169.254", "169.254.170.2", "100.100.100.200", "192.0.0.192", "168.63.129.16"],
    outside: ["168.63.129.15", "168.63.129.17"],
  },
];

const IPV6_RANGES = [
  { range: "unspecified", inside: ["::"], outside: [] },
  { range: "loopback", inside: ["::1"], outside: [] },
  { range: "IPv4-mapped", inside: ["::ffff:7f00:1", "::ffff:a9fe:a9fe"], outside: ["::ffff:808:808"] },
  { range: "IPv4-compatible", inside: ["::127.0.0.1", "::a00:1"], outside: ["::8.8.8.8"] },
  { range: "IPv4-translated", inside: ["::ffff:0:10.0.0.1"], outside: ["::ffff:0:8.8.8.8"] },
  { range: "NAT64", inside: ["64:ff9b::192.168.0.1", "64:ff9b::7f00:1"], outside: ["64:ff9b::8.8.8.8"] },
  { range: "local NAT64", inside: ["64:ff9b:1::", "64:ff9b:1:ffff::808:808"], outside: [] },
  { range: "discard", inside: ["100::", "100::ffff:ffff:ffff:ffff"], outside: [] },
  { range: "dummy prefix", inside: ["100:0:0:1::", "100:0:0:1:ffff:ffff:ffff:ffff"], outside: [] },
  { range: "below global unicast", inside: ["1fff:ffff::"], outside: ["2000::"] },
  { range: "protocol assignments", inside: ["2001:1::", "2001:1ff:ffff::"], outside: ["2001:200::"] },
  { range: "Teredo client", inside: ["2001:0:808:808::80ff:fffe"], outside: ["2001:0:808:808::f7f7:f7f7"] },
  { range: "Teredo server", inside: ["2001:0:7f00:1::f7f7:f7f7"], outside: [] },
  { range: "anycast of one's own network", inside: ["2001:1::1", "2001:1::2", "2001:1::3"], outside: [] },
  { range: "benchmarking", inside: ["2001:2::", "2001:2:0:ffff::"], outside: [] },
  { range: "AMT (public)", inside: [], outside: ["2001:3::", "2001:3:ffff::"] },
  {
    range: "AS112 (public)",
    inside: ["2001:4:111::", "2001:4:113::"],
    outside: ["2001:4:112::", "2001:4:112:ffff::"],
  },
  { range: "ORCHID", inside: ["2001:10::", "2001:1f:ffff::"], outside: [] },
  { range: "ORCHIDv2 (public)", inside: [], outside: ["2001:20::", "2001:2f:ffff::"] },
  { range: "drone identification (public)", inside: ["2001:40::"], outside: ["2001:30::", "2001:3f:ffff::"] },
  {
    range: "documentation",
    inside: ["2001:db8::", "2001:db8:ffff::"],
    outside: ["2001:db7::", "2001:db9::"],
  },
  { range: "6to4", inside: ["2002:7f00:1::", "2002:c0a8:101::1"], outside: ["2002:808:808::"] },
  { range: "AS112 (public)", inside: [], outside: ["2620:4f:8000::"] },
  {
    range: "documentation 2",
    inside: ["3fff::", "3fff:fff:ffff::"],
    outside: ["3ffe:ffff::", "3fff:1000::"],
  },
  { range: "above global unicast", inside: ["4000::", "8000::"], outside: ["3fff:ffff::"] },
  { range: "segment routing", inside: ["5f00::", "5f00:ffff::"], outside: [] },
  { range: "unique local", inside: ["fc00::", "fdff:ffff::", "fd00:ec2::254"], outside: [] },
  { range: "link-local", inside: ["fe80::1", "febf:ffff::"], outside: [] },
  { range: "site-local", inside: ["fec0::1"], outside: [] },
  { range: "multicast", inside: ["ff00::", "ff02::1", "ffff:ffff::"], outside: [] },
  {
    range: "ISATAP",
    inside: ["2600::5efe:10.0.0.1", "2600::200:5efe:127.0.0.1"],
    outside: ["2600::5efe:8.8.8.8"],
  },
  { range: "the public internet", inside: [], outside: ["2606:4700:4700::1111", "2a00:1450:4001::1"] },
];

describe("isPrivateAddress()", () => {
  it.each(IPV4_RANGES)("knows the bounds of IPv4's $range: $inside, not $outside", ({ inside, outside }) => {
    for (const address of inside) expect([address, isPrivateAddress(address)]).toEqual([address, true]);
    for (const address of outside) expect([address, isPrivateAddress(address)]).toEqual([address, false]);
  });

  it.each(IPV6_RANGES)("knows the bounds of IPv6's $range: $inside, not $outside", ({ inside, outside }) => {
    const spellings = (address: string): string[] => [
      address,
      `[${address}]`,
      new URL(`http://[${address}]/`).hostname,
    ];
    for (const address of inside.flatMap(spellings))
      expect([address, isPrivateAddress(address)]).toEqual([address, true]);
    for (const address of outside.flatMap(spellings))
      expect([address, isPrivateAddress(address)]).toEqual([address, false]);
  });

  it.each([
    ...[
      "2852039166",
      "0xA9FEA9FE",
      "0x7f.1",
      "127.1",
      "0177.0.0.1",
      "017700000001",
      "127.0.0.1.",
      "0",
      "0x0",
    ],
    ...["①②⑦.0.0.1", "127。0。0。1", "%31%32%37.0.0.1", "0x7f000001", "2130706433", "127.0.1", "10.1"],
    ...["[::ffff:127.0.0.1]", "[0:0:0:0:0:ffff:7f00:0001]", "::FFFF:127.0.0.1", "[::FFFF:A9FE:A9FE]"],
    ...["fe80::1%eth0", "[fe80::1%25eth0]", "::1%lo"],
  ])("reads the spelling %s", (spelling) => {
    expect(isPrivateAddress(spelling)).toBe(true);
  });

  it.each(["8.8.8.8", "134744072", "0x08080808", "8.8.2056", "010.8.8.8", "[::ffff:8.8.8.8]", "8.8.8.8."])(
    "takes %s for public",
    (spelling) => expect(isPrivateAddress(spelling)).toBe(false),
  );

  it.each([
    ...["localhost", "LOCALHOST", "localhost.", "a.localhost", "A.B.LocalHost.", "localhost.localdomain"],
    ...["printer.local", "nas.lan", "router.home", "wiki.corp", "x.intranet", "db.private", "gw.home.arpa"],
    ...[
      "metadata.google.internal",
      "host.docker.internal",
      "instance-data.ec2.internal",
      "kubernetes.default.svc",
    ],
    ...["metadata", "redis", "metadata.tencentyun.com", "ⓛocalhost"],
  ])("takes the name %s for private", (name) => {
    expect(isPrivateAddress(name)).toBe(true);
  });

  it.each([
    ...[
      "example.com",
      "Example.COM.",
      "localhost.example.com",
      "notlocalhost.com",
      "mylocal.test",
      "internal.example",
    ],
    ...[
      "10.0.0.1.example.com",
      "127.0.0.1.test",
      "home.test",
      "bücher.example",
      "xn--bcher-kva.example",
      "a_b.example",
    ],
  ])("takes the name %s for public", (name) => {
    expect(isPrivateAddress(name)).toBe(false);
  });

  it.each([
    "",
    " ",
    "a b",
    "[",
    "[::1",
    "1.2.3.4.5",
    "256.256.256.256",
    "a/b",
    "a@b.test",
    "h.test:80",
    "h.test#",
    "\0",
  ])("refuses %j, which is no host", (text) => expect(isPrivateAddress(text)).toBe(true));

  it("gives every spelling of one address the same answer", () => {
    fc.assert(
      fc.property(fc.nat({ max: 0xffff_ffff }), (number) => {
        const dotted = [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join(".");
        const hex = number.toString(16);
        const expected = isPrivateAddress(dotted);
        const spellings = [
          `${number}`,
          `0x${hex}`,
          `0${number.toString(8)}`,
          `::ffff:${dotted}`,
          `64:ff9b::${dotted}`,
        ];
        for (const spelling of spellings)
          expect([spelling, isPrivateAddress(spelling)]).toEqual([spelling, expected]);
      }),
      { numRuns: 500 },
    );
  });

  it("never throws", () => {
    const part = fc.constantFrom("[", "]", ":", "::", "ffff", ".", "127", "0x", "%", "é", "a", "/", "@", "-");
    const nasty = fc.oneof(
      fc.array(part, { maxLength: 12 }).map((parts) => parts.join("")),
      fc.string({ unit: "binary" }),
    );
    fc.assert(
      fc.property(nasty, (text) => {
        expect(typeof isPrivateAddress(text)).toBe("boolean");
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("isMetadataAddress()", () => {
  it.each([
    "169.254.169.254",
    "0xA9FEA9FE",
    "169.254.0.1",
    "[::ffff:169.254.169.254]",
    "[64:ff9b::a9fe:a9fe]",
    "[fe80::1]",
    "fe80::1%eth0",
    "[fd00:ec2::254]",
    "100.100.100.200",
    "168.63.129.16",
    "192.0.0.192",
    "metadata",
    "metadata.google.internal",
    "metadata.tencentyun.com",
    "instance-data.ec2.internal",
    "not a host",
  ])("is true of %s", (hostname) => expect(isMetadataAddress(hostname)).toBe(true));

  it.each([
    "127.0.0.1",
    "10.0.0.1",
    "100.100.100.201",
    "192.0.0.193",
    "[::1]",
    "[fd00::1]",
    "localhost",
    "wiki.corp.internal",
    "notmetadata.test",
    "example.com",
  ])("is false of %s", (hostname) => expect(isMetadataAddress(hostname)).toBe(false));
});
