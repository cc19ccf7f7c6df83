/** Texts with placeholders as visitors see them, and back. Pure. */

/** A stretch of the text as it is written, and of it as it is shown. */
interface Part {
  readonly written: string;
  readonly shown: string;
  readonly variable: string | undefined;
}

const PLACEHOLDER = /\{\{\s*([^{}]+?)\s*\}\}/g;

function partsOf(text: string, variables: Readonly<Record<string, string>>): Part[] {
  const parts: Part[] = [];
  let at = 0;
  for (const match of text.matchAll(PLACEHOLDER)) {
    const name = match[1] ?? "";
    if (!Object.hasOwn(variables, name)) continue;
    const plain = text.slice(at, match.index);
    parts.push({ written: plain, shown: plain, variable: undefined });
    parts.push({ written: match[0], shown: variables[name] ?? "", variable: name });
    at = match.index + match[0].length;
  }
  const rest = text.slice(at);
  return [...parts, { written: rest, shown: rest, variable: undefined }];
}

export function rendered(text: string, variables: Readonly<Record<string, string>>): string {
  return partsOf(text, variables)
    .map(({ shown }) => shown)
    .join("");
}

export type Rewritten = { readonly text: string; readonly count: number } | { readonly blockedBy: string };

/**
 * The text as it has to be written, so that it is shown with `now` in every place of `old`. Placeholders within such a
 * place stay where `now` holds their values, in their order; the name of the first that can't stay, otherwise.
 */
export function rewritten(
  text: string,
  variables: Readonly<Record<string, string>>,
  old: string,
  now: string,
): Rewritten | undefined {
  if (text.includes(old)) return { text: text.replaceAll(old, () => now), count: text.split(old).length - 1 };
  const parts = partsOf(text, variables);
  const shown = parts.map((part) => part.shown).join("");
  const places = placesOf(shown, old);
  if (places.length === 0) return undefined;
  let result = "";
  let at = 0;
  for (const place of places) {
    const [before, within] = [sliceOf(parts, at, place), sliceOf(parts, place, place + old.length)];
    if ("cut" in before) return { blockedBy: before.cut };
    if ("cut" in within) return { blockedBy: within.cut };
    const filled = refilled(now, within.parts);
    if ("blockedBy" in filled) return filled;
    result += written(before.parts) + filled.text;
    at = place + old.length;
  }
  const rest = sliceOf(parts, at, shown.length);
  return "cut" in rest ? { blockedBy: rest.cut } : { text: result + written(rest.parts), count: places.length };
}

function placesOf(text: string, old: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(old); at !== -1; at = text.indexOf(old, at + old.length)) places.push(at);
  return places;
}

/** The parts between two offsets of what is shown; a placeholder is whole or it is cut. */
function sliceOf(parts: readonly Part[], from: number, to: number): { parts: Part[] } | { cut: string } {
  const slice: Part[] = [];
  let at = 0;
  for (const part of parts) {
    const [start, end] = [Math.max(from, at), Math.min(to, at + part.shown.length)];
    const whole = start === at && end === at + part.shown.length;
    if (part.variable !== undefined && start < end && !whole) return { cut: part.variable };
    if (part.variable !== undefined && whole && start < end) slice.push(part);
    else if (part.variable === undefined && start < end) {
      const text = part.shown.slice(start - at, end - at);
      slice.push({ written: text, shown: text, variable: undefined });
    }
    at += part.shown.length;
  }
  return { parts: slice };
}

function refilled(now: string, parts: readonly Part[]): { text: string } | { blockedBy: string } {
  let text = "";
  let rest = now;
  for (const { variable, shown, written: placeholder } of parts) {
    if (variable === undefined) continue;
    const at = rest.indexOf(shown);
    if (at === -1) return { blockedBy: variable };
    text += rest.slice(0, at) + placeholder;
    rest = rest.slice(at + shown.length);
  }
  return { text: text + rest };
}

function written(parts: readonly Part[]): string {
  return parts.map((part) => part.written).join("");
}
