import type { Link } from "./links.ts";

/** Whether a site lets crawlers follow the link: not where its rel has `nofollow`, `ugc` or `sponsored`. */
export function isFollowable({ rel }: Pick<Link, "rel">): boolean {
  return !rel.includes("nofollow") && !rel.includes("ugc") && !rel.includes("sponsored");
}
