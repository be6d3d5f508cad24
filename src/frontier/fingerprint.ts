/** 64 bits that stand for a key. */
export interface Fingerprint {
  readonly high: number;
  /** Never 0, so that 0 can mean "none". */
  readonly low: number;
}

/**
 * Two multiplicative hashes side by side, each mixed into the other at the end by the finaliser of MurmurHash3.
 *
 * @param salt a crawl's own number, so that no site can make up a URL that hides another's
 */
export function fingerprint(key: string, salt: number): Fingerprint {
  let high = 0xdeadbeef ^ salt;
  let low = 0x41c6ce57 ^ salt;
  for (let i = 0; i < key.length; i++) {
    const unit = key.charCodeAt(i);
    high = Math.imul(high ^ unit, 0x9e3779b1);
    low = Math.imul(low ^ unit, 0x5f356495);
  }
  high = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35);
  low = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35);
  return { high: high >>> 0, low: low >>> 0 || 1 };
}
