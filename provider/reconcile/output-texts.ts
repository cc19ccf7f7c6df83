/**
 * Texts that were made from an Output before its value was known: the SDK puts a notice into a template string, and into
 * JSON, where it does not throw. Published, a visitor would read it. Pure.
 */
import { isMap, type Json, type JsonMap } from "../values/json.ts";
import type { Path } from "../values/paths.ts";
import { brokenRule, type CheckFailure } from "../messages/problems.ts";

/** How the SDK's notice begins (output.ts, 3.270), also where JSON has quoted it. */
const NOTICE = /Calling \[to(String|JSON)\] on an \[Output<T>\] is not supported/;

const HINT =
  "was made from an Output, whose value is not known where the text is made. Use pulumi.interpolate`…${output}…` in place of `…${output}…`, or output.apply(value => …)";

/** `name`: the logical one. */
export function textsOfOutputs(inputs: JsonMap, name: string): CheckFailure[] {
  const places = NOTICE.test(name) ? [["name"], ...placesIn(inputs, [])] : placesIn(inputs, []);
  return places.map((path) => brokenRule(path, "text-of-output", HINT, true));
}

function placesIn(value: Json | undefined, path: Path): Path[] {
  if (typeof value === "string") return NOTICE.test(value) ? [path] : [];
  if (Array.isArray(value)) return value.flatMap((item, index) => placesIn(item, [...path, index]));
  if (!isMap(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => (NOTICE.test(key) ? [path] : placesIn(item, [...path, key])));
}
