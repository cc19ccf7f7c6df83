/** A call that seems to be written in a file of the manifest: the SDK takes a resource's place from its caller. */
import { Script } from "node:vm";
import type { Place } from "../source/file.ts";

/** The place of `new made(...args)` is that of the manifest. */
export function madeAt<Args extends unknown[], Made>({ file, start }: Place, made: new (...args: Args) => Made) {
  const { line, col } = file.lines.linePos(start);
  const code = `(function entry(made, args) { return (\n${" ".repeat(col - 1)}new made(...args)\n); })`;
  const script = new Script(code, { filename: file.path, lineOffset: line - 2 });
  const make = script.runInThisContext() as (type: typeof made, args: Args) => Made;
  return (...args: Args): Made => make(made, args);
}
