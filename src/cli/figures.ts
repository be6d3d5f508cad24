// One locale for all: a log reads the same on every machine.
const LOCALE = "en-US";

/** A count with its noun: `1 page`, `1,169 pages`. */
export function counted(count: number, one: string, many: string = `${one}s`): string {
  return `${count.toLocaleString(LOCALE)} ${count === 1 ? one : many}`;
}

/** A rate for reading: `0.4`, `9.7`, `95`, `1,250`. */
export function rateText(perSecond: number): string {
  return perSecond.toLocaleString(LOCALE, { maximumFractionDigits: perSecond < 10 ? 1 : 0 });
}

/** Bytes for reading, in decimal units: `812 B`, `14.2 MB`. */
export function bytesText(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value.toLocaleString(LOCALE, { maximumFractionDigits: unit > 0 && value < 99.5 ? 1 : 0 })} ${units[unit]}`;
}

/** A length of time for reading: `0.4 s`, `12.3 s`, `4 min 5 s`, `2 h 3 min`. */
export function durationText(ms: number): string {
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** The time of day on the wall clock of this machine's zone: `14:03:22`. */
export function timeOfDayText(atMs: number): string {
  return new Date(atMs).toTimeString().slice(0, 8);
}
