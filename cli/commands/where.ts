/** `landform where`: finds the line that says a sentence or an address. It writes nothing. */
import { relative } from "node:path";
import type { Command } from "commander";
import { exitCodes, UsageError, type ExitCode } from "../../stack/exit/codes.ts";
import { engineOption, exiting, stackOptions } from "../options.ts";
import { printJson, tellsWhy } from "../../story/print.ts";
import { Output } from "../output/terminal.ts";
import { undeclaredLines, findingsLines, quoted, type Origin } from "../../story/look.ts";
import type { StateOptions } from "../../stack/options.ts";
import { commitOf, type OpenedTexts, openTexts } from "../../stack/sources/open.ts";
import { type Finding, findText, nearestTexts, objectsAt } from "../../stack/sources/find.ts";
import type { Place } from "../../manifest/index.ts";

interface WhereOptions extends StateOptions {
  json?: true;
}

export function addWhere(program: Command): void {
  engineOption(
    stackOptions(
      program.command("where").argument("<text-or-url>", "a part of the text, or an address or path of a page"),
    ),
  )
    .description("find the line that has a text, or the page at an address, and who changed it last")
    .option("--json", "print it as JSON")
    .action(exiting(where));
}

async function where(wanted: string, options: WhereOptions): Promise<ExitCode> {
  if (wanted.trim() === "")
    throw new UsageError("there is no text to look for: the argument is empty, or blanks alone");
  const texts = await openTexts(options);
  const found = [...pagesAt(wanted, texts), ...findText(wanted, texts)];
  const origins = await Promise.all(found.map((finding) => originOf(finding, texts)));
  const undeclared = found.length > 0 ? undefined : await texts.undeclared(wanted);
  const isFound = found.length > 0 || (undeclared?.texts.length ?? 0) > 0;
  const code = isFound ? exitCodes.done : exitCodes.failed;
  if (!isFound) tellsWhy();
  if (options.json === true) {
    const declared = found.map((finding, index) => ({ ...finding, ...jsonOrigin(origins[index]) }));
    printJson({ found: declared, ...(undeclared && { undeclared: undeclared.texts, looked: undeclared.looks }) });
    return code;
  }
  const output = new Output();
  const traced = found.map((finding, index) => ({ finding, origin: origins[index] ?? {} }));
  for (const line of findingsLines(traced, output.canvas)) output.line(line);
  if (undeclared === undefined) return code;
  const isAddress = /^https?:\/\//i.test(wanted);
  const nothing = isAddress ? `No page has the address ${wanted}.` : `No text has ${JSON.stringify(wanted)}.`;
  output.line(isFound ? "The code of this stack does not have it, but the account has:" : nothing);
  for (const line of undeclaredLines(undeclared, output.canvas)) output.line(line);
  // The words of an address are in no sentence.
  if (!isFound && !isAddress) {
    const all = [...texts.sources.map(({ value }) => value), ...texts.recorded.map(({ shown }) => shown)];
    for (const text of nearestTexts(wanted, all)) output.line(`  near: ${quoted(text, output.canvas.width)}`);
  }
  return code;
}

function pagesAt(wanted: string, { objects, sources, folder: { root } }: OpenedTexts): Finding[] {
  return objectsAt(wanted, objects).map((object): Finding => {
    const own = sources.find(
      ({ declared }) => declared?.entry.definition.type === object.type && declared.entry.key === object.name,
    );
    const entry = own?.declared?.entry;
    const place = entry === undefined ? object.declaredAt : placeOf(entry.place, root);
    const about = { kind: "declared" as const, rank: 0, text: wanted, objects: [object] };
    return { ...about, path: entry?.address ?? `${object.type} ${object.name}`, ...(place && { place }) };
  });
}

function placeOf({ file, start }: Place, root: string): Finding["place"] {
  const { line, col } = file.lines.linePos(start);
  return { file: file.path, name: relative(root, file.path), line, column: col };
}

async function originOf({ objects, place }: Finding, texts: OpenedTexts): Promise<Origin> {
  const [object] = objects;
  const run = object && texts.lastRun(object);
  const commit = place && (await commitOf(place.file, place.line));
  return { ...(run && { run }), ...(commit && { commit }) };
}

function jsonOrigin({ run, commit }: Origin = {}): object {
  return { ...(run && { run: { id: run.id, at: run.at, by: run.by } }), ...(commit && { commit }) };
}
