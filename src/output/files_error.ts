/** What the codes of system errors mean to whoever chose the path. */
const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EFBIG: "the file would be larger than the system allows",
  EACCES: "there is no permission",
  EPERM: "there is no permission",
  EROFS: "the disk is read-only",
  ENOENT: "there is no such file or folder",
  ENOTDIR: "a part of the path is a file and no folder",
  EEXIST: "a file is where a folder must be",
  EISDIR: "it is a folder",
  ENAMETOOLONG: "the path is too long",
  EMFILE: "the process has too many files open",
  ENFILE: "the system has too many files open",
  EBUSY: "another program uses it",
  EIO: "the disk failed",
};

/** `Cannot write 'a/b': the disk is full (ENOSPC)`, with what the system threw as its `cause`. */
export function diskError(step: string, path: string, cause: unknown): Error {
  const code = codeOf(cause);
  const message = cause instanceof Error ? cause.message : String(cause);
  const reason = Object.hasOwn(REASONS, code) ? `${REASONS[code]} (${code})` : message;
  return new Error(`Cannot ${step} '${path}': ${reason}`, { cause });
}

/** Does a step of work on a path; what goes wrong names both. */
export async function onDisk<T>(step: string, path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw diskError(step, path, cause);
  }
}

/** The code of a system error; "" where it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}
