/** In which order pages go public: what is linked to before what links to it. Pure. */
import { normalSlug } from "../page/place.ts";
import type { Member } from "./member.ts";

/** A circle is entered where the program names its first page. */
export function linkTargetsFirst(members: readonly Member[]): Member[] {
  const ordered: Member[] = [];
  const visited = new Set<string>();
  const visit = (member: Member): void => {
    if (visited.has(member.id)) return;
    visited.add(member.id);
    for (const target of members) if (linksTo(member, target)) visit(target);
    ordered.push(member);
  };
  for (const member of members) visit(member);
  return ordered;
}

function linksTo({ id, document }: Member, target: Member): boolean {
  if (id === target.id) return false;
  const texts = [...(document.fields?.values() ?? []), ...[...document.nodes.values()].flatMap((node) => node.texts)];
  return texts.some((text) => typeof text === "string" && mentions(text, target));
}

function mentions(text: string, { draft: { url, place } }: Member): boolean {
  if (url !== null && endsThere(text, url)) return true;
  return place.slug !== "" && text.startsWith("/") && normalSlug(text) === place.slug;
}

/** `/offer` is not `/offer-2`. */
function endsThere(text: string, url: string): boolean {
  for (let at = text.indexOf(url); at >= 0; at = text.indexOf(url, at + 1)) {
    if (!/[\w/-]/.test(text.charAt(at + url.length))) return true;
  }
  return false;
}
