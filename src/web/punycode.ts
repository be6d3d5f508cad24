// Parameters of Punycode for domain labels: RFC 3492 §5.
const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;
const SKEW = 38;
const DAMP = 700;
const INITIAL_BIAS = 72;
const INITIAL_CODE_POINT = 0x80;
const MAX_CODE_POINT = 0x10ffff;

// RFC 1034 §3.1: 63 octets, `xn--` among them. The bound also keeps the insertions below from growing quadratic.
const MAX_ENCODED_LENGTH = 59;

/**
 * Decodes the Punycode of one domain label, without its `xn--`.
 *
 * Source: RFC 3492 §6.2. Only the encoding is checked, not whether the result is an allowed label.
 *
 * @returns the Unicode text, or `undefined` where the input is no Punycode or is too long for a label.
 * @example
 * ```ts
 * decodePunycode("bcher-kva"); // "bücher"
 * ```
 */
export function decodePunycode(encoded: string): string | undefined {
  if (encoded.length > MAX_ENCODED_LENGTH) return undefined;
  const lastHyphen = encoded.lastIndexOf("-");
  const output: number[] = [];
  for (let at = 0; at < lastHyphen; at++) {
    const code = encoded.charCodeAt(at);
    if (code >= INITIAL_CODE_POINT) return undefined;
    output.push(code);
  }
  let codePoint = INITIAL_CODE_POINT;
  let index = 0;
  let bias = INITIAL_BIAS;
  let at = lastHyphen + 1;
  while (at < encoded.length) {
    const before = index;
    let weight = 1;
    for (let k = BASE; ; k += BASE) {
      const digit = digitValue(encoded.charCodeAt(at++));
      if (digit === undefined) return undefined;
      index += digit * weight;
      const threshold = Math.min(Math.max(k - bias, T_MIN), T_MAX);
      if (digit < threshold) break;
      weight *= BASE - threshold;
    }
    const length = output.length + 1;
    bias = adaptBias(index - before, length, before === 0);
    codePoint += Math.floor(index / length);
    if (codePoint > MAX_CODE_POINT) return undefined;
    index %= length;
    output.splice(index++, 0, codePoint);
  }
  return String.fromCodePoint(...output);
}

function digitValue(code: number): number | undefined {
  if (code >= 0x61 && code <= 0x7a) return code - 0x61; // a-z
  if (code >= 0x41 && code <= 0x5a) return code - 0x41; // A-Z
  if (code >= 0x30 && code <= 0x39) return code - 0x30 + 26; // 0-9
  return undefined;
}

function adaptBias(delta: number, length: number, first: boolean): number {
  let scaled = Math.floor(delta / (first ? DAMP : 2));
  scaled += Math.floor(scaled / length);
  let k = 0;
  while (scaled > ((BASE - T_MIN) * T_MAX) >> 1) {
    scaled = Math.floor(scaled / (BASE - T_MIN));
    k += BASE;
  }
  return k + Math.floor(((BASE - T_MIN + 1) * scaled) / (scaled + SKEW));
}
