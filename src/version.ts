/** The version of this package, as `userAgent` gives it to hosts by default. A test holds it to package.json. */
export const VERSION = "0.1.0";
