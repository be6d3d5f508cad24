import { generate } from "selfsigned";

export interface Certificate {
  /** PEM. It signs itself: who is to trust the server is given it as an authority. */
  readonly cert: string;
  /** The private key, PEM. */
  readonly key: string;
}

const DAY_MS = 86_400_000;

/** A certificate for 127.0.0.1 and localhost, new at each call and good for a day: no key is kept anywhere. */
export async function issueCertificate(): Promise<Certificate> {
  const now = Date.now();
  const { cert, private: key } = await generate([{ name: "commonName", value: "localhost" }], {
    keyType: "ec",
    algorithm: "sha256",
    notBeforeDate: new Date(now - DAY_MS),
    notAfterDate: new Date(now + DAY_MS),
    extensions: [
      // Deno takes no authority for a server.
      { name: "basicConstraints", cA: false, critical: true },
      { name: "keyUsage", digitalSignature: true, critical: true },
      { name: "extKeyUsage", serverAuth: true },
      {
        name: "subjectAltName",
        altNames: [
          { type: 2, value: "localhost" },
          { type: 7, ip: "127.0.0.1" },
        ],
      },
    ],
  });
  return { cert, key };
}
