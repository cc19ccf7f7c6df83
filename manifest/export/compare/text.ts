/** A comparison for people: a line a field, the part of a long text where the two sides part. */
import type { Json } from "../../../provider/values/json.ts";
import { inManifestWords } from "../../language/fields.ts";
import type { Comparison, Difference } from "./models.ts";

const WIDTH = 60;

export function comparisonText({ a, b, same, compared, unknown, differences }: Comparison): string {
  const head = [`A  ${a}`, `B  ${b}`, ""];
  const left =
    unknown.length === 0 ? [] : [`Not compared, since only a run knows it: ${inManifestWords(unknown.join(", "))}.`];
  if (same) return [...head, `The same: ${counted(compared, "resource")} on both sides.`, ...left].join("\n");
  const summary = `${counted(differences.length, "difference")}; ${counted(compared, "resource")} on both sides.`;
  return [...head, ...differences.flatMap(lines), "", summary, ...left].join("\n");
}

function lines({ change, a = "", b = "", fields }: Difference): string[] {
  if (change === "only-a") return [`- ${a}  only in A`];
  if (change === "only-b") return [`+ ${b}  only in B`];
  const where = a === b ? a : `${a} (in B ${b})`;
  return [
    `~ ${where}`,
    ...fields.map((field) => {
      const [left, right] = shown(field.a, field.b);
      return `    ${inManifestWords(field.field)}: ${left} → ${right}`;
    }),
  ];
}

/** Both values, cut where they are long so that the first difference is seen. */
function shown(a: Json | undefined, b: Json | undefined): [string, string] {
  const [left, right] = [text(a), text(b)];
  let start = 0;
  while (start < left.length && left[start] === right[start]) start++;
  const from = Math.max(0, start - 20);
  return [cut(left, from), cut(right, from)];
}

function cut(value: string, from: number): string {
  if (value.length <= WIDTH) return value;
  const part = value.slice(from, from + WIDTH);
  return `${from > 0 ? "…" : ""}${part}${from + WIDTH < value.length ? "…" : ""}`.toWellFormed();
}

function text(value: Json | undefined): string {
  return value === undefined ? "(none)" : JSON.stringify(value);
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
