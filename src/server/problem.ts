/** What is wrong with one part of a request. */
export interface FieldFault {
  /** Where it stands in the body, by a JSON Pointer (RFC 6901) as a URI fragment: `#/options/maxPages`. */
  readonly pointer: string;
  readonly detail: string;
}

/** More about a problem than its status and its sentence. */
export interface ProblemExtras {
  readonly errors?: readonly FieldFault[];
  readonly headers?: Readonly<Record<string, string>>;
}

const TITLES: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  409: "Conflict",
  413: "Content Too Large",
  415: "Unsupported Media Type",
  429: "Too Many Requests",
  500: "Internal Server Error",
};

/** A request that cannot be served: thrown wherever that is found, answered by {@link problemResponse}. */
export class Problem extends Error {
  override readonly name: string = "Problem";
  readonly status: number;
  readonly extras: ProblemExtras;

  /** `detail`: one sentence for whoever sent the request. */
  constructor(status: number, detail: string, extras: ProblemExtras = {}) {
    super(detail);
    this.status = status;
    this.extras = extras;
  }
}

/** A 400 that names the fields that are wrong. */
export function fieldProblem(errors: readonly FieldFault[]): Problem {
  return new Problem(400, errors.map(({ detail }) => detail).join("; "), { errors });
}

/** A problem as an answer. Source: RFC 9457. */
export function problemResponse({ status, message, extras }: Problem): Response {
  const { errors, headers } = extras;
  const body = {
    type: "about:blank",
    title: TITLES[status],
    status,
    detail: message,
    ...(errors && { errors }),
  };
  return new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/problem+json", "cache-control": "no-store", ...headers },
  });
}
