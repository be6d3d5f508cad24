import { UsageError } from "./usage_error.ts";

/** What stands behind a flag, and how it is read. */
export interface Kind {
  /** What stands for the value in the help; a switch has none. */
  readonly placeholder?: string;
  /** Whether it may be given several times, each adding one value. Default `false`: the last one holds. */
  readonly many?: true;
  /**
   * @param label how the user wrote the flag: `--delay`, `DRAGLINE_DELAY`, or its place in a file
   * @param texts one, or where `many` is set any number
   * @throws {UsageError} where a text is no value of this kind
   */
  read(label: string, texts: readonly string[]): unknown;
}

/** On or off: `--name`, `--no-name`. */
export const SWITCH: Kind = {
  read: (label, [text = ""]) => {
    if (/^(?:true|1|yes|on)$/i.test(text)) return true;
    if (/^(?:false|0|no|off)$/i.test(text)) return false;
    throw wrong(label, "true or false", text);
  },
};

/** A path, a name, a header's value: taken as it is. */
export function textKind(placeholder: string): Kind {
  return {
    placeholder,
    read: (label, [text = ""]) => {
      if (text === "") throw wrong(label, "a text that is not empty", text);
      return text;
    },
  };
}

/** A text that has a form of its own; `parse` gives `undefined` for one that has not. */
export function formKind<T>(placeholder: string, rule: string, parse: (text: string) => T | undefined): Kind {
  return {
    placeholder,
    read: (label, [text = ""]) => {
      const value = parse(text);
      if (value === undefined) throw wrong(label, rule, text);
      return value;
    },
  };
}

/** The same, given any number of times. */
export function manyKind<T>(placeholder: string, rule: string, parse: (text: string) => T | undefined): Kind {
  const one = formKind(placeholder, rule, parse);
  return { placeholder, many: true, read: (label, texts) => texts.map((text) => one.read(label, [text])) };
}

/** A whole number; `none` for no limit where a limit is meant. */
export function countKind(least: number, limit: "limit" | "amount" = "amount"): Kind {
  const rule = `a whole number of at least ${least}`;
  return formKind("N", limit === "limit" ? `${rule}, or none` : rule, (text) => {
    if (limit === "limit" && text === "none") return Number.POSITIVE_INFINITY;
    const value = Number(text);
    return /^\d+$/.test(text) && value >= least && Number.isSafeInteger(value) ? value : undefined;
  });
}

const DURATION_RULE = "a length of time such as 250ms, 10s, 5m or 1h";

/** A length of time, in milliseconds where it has no unit; above zero where `least` is 1; `none` as with a number. */
export function durationKind(least: 0 | 1, limit: "limit" | "amount" = "amount"): Kind {
  const range = least === 0 ? DURATION_RULE : `${DURATION_RULE}, above zero`;
  return formKind("TIME", limit === "limit" ? `${range}, or none` : range, (text) => {
    if (limit === "limit" && text === "none") return Number.POSITIVE_INFINITY;
    const ms = durationMs(text);
    return ms !== undefined && ms >= least ? ms : undefined;
  });
}

const UNIT_MS: Readonly<Record<string, number>> = {
  "": 1,
  ms: 1,
  s: 1000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** `1.5s` is 1500; `undefined` for what is no length of time. */
export function durationMs(text: string): number | undefined {
  return amount(text, UNIT_MS);
}

const UNIT_BYTES: Readonly<Record<string, number>> = {
  "": 1,
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  kib: 1024,
  mib: 1024 ** 2,
  gib: 1024 ** 3,
};

/** Octets, above zero. */
export const BYTES: Kind = formKind("BYTES", "a size such as 500kB, 10MB or 10MiB", (text) => {
  const bytes = amount(text, UNIT_BYTES);
  return bytes !== undefined && bytes >= 1 ? bytes : undefined;
});

/** One of several words, each with what it stands for. */
export function choiceKind(placeholder: string, choices: Readonly<Record<string, unknown>>): Kind {
  const names = Object.keys(choices);
  return {
    placeholder,
    read: (label, [text = ""]) => {
      if (!Object.hasOwn(choices, text)) throw wrong(label, `one of ${names.join(", ")}`, text);
      return choices[text];
    },
  };
}

/** Words with a comma between. */
export function listKind(placeholder: string, rule: string, isWord: (word: string) => boolean): Kind {
  return formKind(placeholder, rule, (text) => {
    const words = text.split(",").map((word) => word.trim());
    return words.every(isWord) ? words : undefined;
  });
}

function amount(text: string, units: Readonly<Record<string, number>>): number | undefined {
  const [, digits = "", unit = ""] = /^(\d+(?:\.\d+)?) ?([a-z]*)$/i.exec(text) ?? [];
  const factor = Object.hasOwn(units, unit.toLowerCase()) ? units[unit.toLowerCase()] : undefined;
  if (digits === "" || factor === undefined) return undefined;
  const value = Math.round(Number(digits) * factor);
  return Number.isSafeInteger(value) ? value : undefined;
}

function wrong(label: string, rule: string, text: string): UsageError {
  return new UsageError(`${label} must be ${rule}: received '${text}'`);
}
