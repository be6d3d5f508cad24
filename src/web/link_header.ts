/**
 * The targets of a `Link` header that have this relation, as written and in order. RFC 8288 §3; links with an `anchor`
 * speak of another resource and are left out (§3.2).
 *
 * @example
 * ```ts
 * linkTargets('</a>; rel="canonical", </b>; rel=next', "canonical"); // ["/a"]
 * ```
 */
export function linkTargets(header: string, relation: string): string[] {
  const targets: string[] = [];
  const value = /[\s,]*<([^>]*)>((?:\s*;\s*[^\s=;,]+(?:\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s;,"]+))?)*)/y;
  for (let match = value.exec(header); match; match = value.exec(header)) {
    const [, target = "", written = ""] = match;
    const parameters = readParameters(written);
    const relations = parameters.get("rel")?.toLowerCase().split(/\s+/) ?? [];
    if (relations.includes(relation) && !parameters.has("anchor")) targets.push(target.trim());
  }
  return targets;
}

/** Of parameters with one name the first counts: RFC 8288 §3.3. */
function readParameters(written: string): Map<string, string> {
  const parameters = new Map<string, string>();
  for (const [, name = "", quoted, plain = ""] of written.matchAll(
    /;\s*([^\s=;,]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]+)))?/g,
  )) {
    const key = name.toLowerCase();
    if (!parameters.has(key)) parameters.set(key, quoted?.replace(/\\(.)/g, "$1") ?? plain);
  }
  return parameters;
}
