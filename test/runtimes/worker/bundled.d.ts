declare module "bundled:tests" {
  /** Loads a test file, by its path from the root of the repository. */
  const tests: Readonly<Record<string, () => Promise<unknown>>>;
  export default tests;
}

declare module "bundled:files" {
  /** The octets of each file below `test/` that is no code, as base64, by its path with a slash in front. */
  const files: Readonly<Record<string, string>>;
  export default files;
}
