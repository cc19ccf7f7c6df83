/** A property's path as it is shown: on one line, and no key longer than it is read. Pure. */
import { formatPath, type PropertyPath } from "../engine/index.ts";
import { nameText } from "./text.ts";

export function pathText(path: PropertyPath): string {
  return formatPath(path.map((step) => (typeof step === "string" ? nameText(step) : step)));
}
