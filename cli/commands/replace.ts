/** `landform replace`: other words for a text, wherever the project declares it, and the plan that follows. */
import { relative } from "node:path";
import type { Command } from "commander";
import { writeFiles } from "../../manifest/index.ts";
import { exitCodes, UsageError, type ExitCode } from "../../stack/exit/codes.ts";
import { operationOptions } from "../options.ts";
import type { OperationOptions } from "../../stack/options.ts";
import { Output } from "../output/terminal.ts";
import { blockedLines, quoted, replacementLines, undeclaredLines } from "../../story/sources.ts";
import { Interruption } from "../../stack/run/interrupt.ts";
import { agreed } from "../output/confirm.ts";
import { nearestTexts } from "../../stack/sources/matching.ts";
import { openTexts, type OpenedTexts } from "../../stack/sources/open.ts";
import { changedFiles, replacementsIn, UnsoundText, type Replacements } from "../../stack/sources/replacing.ts";
import { preview } from "./preview.ts";
import { exiting } from "./action.ts";

interface ReplaceOptions extends OperationOptions {
  yes?: true;
}

export function addReplace(program: Command): void {
  operationOptions(program.command("replace <old> <new>"))
    .description("write other words wherever the project declares a text, and show the plan")
    .option("-y, --yes", "don't ask")
    .action(exiting(replace));
}

async function replace(old: string, now: string, options: ReplaceOptions): Promise<ExitCode> {
  if (old.trim() === "")
    throw new UsageError("there is no text to look for: the first argument is empty, or blanks alone");
  if (old === now) throw new UsageError("both texts are the same");
  const output = new Output(options);
  const texts = await openTexts(options);
  const found = replacementsIn(texts.sources, texts.recorded, old, now);
  const undeclared = await texts.undeclared(old);
  tell(found, output);
  const others = { ...undeclared, texts: undeclared.texts.filter(({ text }) => text.includes(old)) };
  if (others.texts.length > 0) output.line(othersTitle(found));
  for (const line of undeclaredLines(others, output.canvas)) output.line(line);
  if (found.replacements.length === 0) {
    const none =
      found.blocked.length > 0 ? "Nothing was written." : `No text of the project says ${JSON.stringify(old)}.`;
    output.line(none);
    for (const text of nearestTexts(
      old,
      texts.sources.map(({ value }) => value),
    ))
      output.line(`  near: ${quoted(text, output.canvas.width)}`);
    return exitCodes.failed;
  }
  if (!(await confirmedHere(found, output, options))) return exitCodes.failed;
  write(found, texts, old, now, output);
  return preview(options);
}

/** A template's own text follows the value of a variable that it holds, and nobody can tell from the text that it does. */
function othersTitle({ replacements }: Replacements): string {
  const isVariable = ({ source: { by } }: Replacements["replacements"][number]): boolean =>
    by.kind === "manifest" && /\.variables[.[]/.test(by.text.path);
  return replacements.some(isVariable)
    ? "Not declared by this stack: of these change those alone that are made of a variable whose value changes:"
    : "Not declared by this stack, and so not changed:";
}

function tell({ replacements, blocked }: Replacements, { line, canvas }: Output): void {
  for (const one of replacements) for (const text of replacementLines(one, canvas)) line(text);
  for (const one of blocked) for (const text of blockedLines(one, canvas)) line(text);
}

async function confirmedHere(
  { replacements }: Replacements,
  output: Output,
  { yes }: ReplaceOptions,
): Promise<boolean> {
  if (yes === true) return true;
  if (!output.interactive)
    throw new UsageError("there is nobody to ask here, and nothing was written. Add --yes to go ahead without asking");
  const interruption = new Interruption((text) => output.line(text));
  try {
    const places = replacements.length === 1 ? "this place" : `these ${replacements.length} places`;
    if (await agreed({ output, session: { interruption } }, `Change ${places}?`)) return true;
    output.line("Nothing was written.");
    return false;
  } finally {
    interruption.close();
  }
}

function write(
  { replacements }: Replacements,
  { folder }: OpenedTexts,
  old: string,
  now: string,
  output: Output,
): void {
  const files = soundFiles(() => changedFiles(replacements, [old, now]));
  const named = files.map(({ path, ...texts }) => ({ name: relative(folder.root, path), ...texts }));
  const written = writeFiles(
    folder.root,
    new Map(named.map(({ name, after }) => [name, after])),
    new Map(named.map(({ name, before }) => [name, before])),
  );
  output.line(`Changed ${written.join(", ")}.`);
  output.line();
}

function soundFiles<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof UnsoundText)) throw error;
    throw new UsageError(`${error.message}. Nothing was written`, { cause: error });
  }
}
