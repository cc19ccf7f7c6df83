/**
 * `${each.name}`, `${stack}` and `${config.key}` in texts. There is nothing else: what needs to reckon is a program. `$${`
 * writes the two characters, and `${{name}}` is a page's variable behind a dollar.
 */
import { parsePath } from "./addresses.ts";

export type TextPart =
  | string
  | { readonly from: "each"; readonly path: readonly string[]; readonly written: string }
  | { readonly from: "stack" }
  | { readonly from: "config"; readonly key: string };

export type ExpressionFault = { readonly fault: "open" } | { readonly fault: "unknown"; readonly written: string };

const SIGN = /\$?\$\{(?!\{)/g;
/** Behind the sign, up to the brace that closes; a key in quotes may hold one. */
const INNER = /(?:[^"{}\n]|"(?:[^"\\\n]|\\.)*")*\}/y;

/** The parts of a text; a text without anything to be filled in is one. */
export function textParts(text: string): readonly TextPart[] | ExpressionFault {
  const parts: TextPart[] = [];
  let plain = "";
  let at = 0;
  for (const { 0: sign, index } of text.matchAll(SIGN)) {
    if (index < at) continue;
    plain += text.slice(at, index);
    at = index + sign.length;
    if (sign === "$${") {
      plain += "${";
      continue;
    }
    INNER.lastIndex = at;
    const [inner] = INNER.exec(text) ?? [];
    if (inner === undefined) return { fault: "open" };
    const part = partOf(inner.slice(0, -1));
    if (!part) return { fault: "unknown", written: `\${${inner}` };
    if (plain !== "") parts.push(plain);
    parts.push(part);
    plain = "";
    at += inner.length;
  }
  plain += text.slice(at);
  if (plain !== "" || parts.length === 0) parts.push(plain);
  return parts;
}

function partOf(inner: string): Exclude<TextPart, string> | undefined {
  if (inner === "stack") return { from: "stack" };
  const [, key] = /^config\.([\w.:-]+)$/.exec(inner) ?? [];
  if (key !== undefined) return { from: "config", key };
  const [first, ...path] = parsePath(inner) ?? [];
  return first === "each" && path.length > 0 ? { from: "each", path, written: `\${${inner}}` } : undefined;
}

export function isFault(found: readonly TextPart[] | ExpressionFault): found is ExpressionFault {
  return "fault" in found;
}
