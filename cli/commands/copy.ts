/** `landform copy extract|import`: writes texts out for translators, and reads them back. It sends nothing. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, extname, relative, resolve } from "node:path";
import { type Command, Option } from "commander";
import type { Manifest } from "../../manifest/declare/model.ts";
import { accepted, type Imported, importUnits } from "../../manifest/translate/import.ts";
import { CopyRecord, type Translation, translationsIn } from "../../manifest/translate/translations.ts";
import {
  type CameBack,
  csvOf,
  readForeignText,
  readUnitsCsv,
  readUnitsXliff,
  tellContradictions,
  unfitIn,
  unitsOf,
} from "../../manifest/translate/exchange.ts";
import { COPY_FILE, Diagnostics, renderText } from "../../manifest/index.ts";
import { writeFiles } from "../../manifest/write/files.ts";
import { xliffOf } from "../../manifest/data/xliff-write.ts";
import { didYouMean, insteadOf } from "../../provider/values/nearest.ts";
import { counted, listed } from "../../provider/values/wording.ts";
import { seePage } from "../../provider/messages/failures.ts";
import { manifestBeside } from "../../stack/lint/findings.ts";
import { MANIFEST } from "../../stack/project/files.ts";
import { type ExitCode, exitCodes, UsageError, explained } from "../../stack/exit/codes.ts";
import { print, printError, styles, tellsWhy } from "../../story/print.ts";
import { exiting, folderOption } from "../options.ts";

interface ExtractOptions {
  C: string;
  locale: string;
  format?: "xliff" | "csv";
  out?: string;
}

export function addCopy(program: Command): void {
  const copy = folderOption(program.command("copy")).description(
    "send texts to translators as XLIFF 1.2 or CSV, and take their translations back",
  );
  copy
    .command("extract")
    .description("write the texts to translate into a language, with the existing translations")
    .requiredOption("--locale <tag>", "language to translate into, such as de or pt-BR")
    .addOption(
      new Option("--format <format>", "format of the file (default: by its name, else xliff)").choices([
        "xliff",
        "csv",
      ]),
    )
    .option("--out <file>", "file to write (default: standard output)")
    .action(exiting(extract));
  copy
    .command("import")
    .argument("<files...>", "files that extract wrote and a translator filled in")
    .description("write translations into the files of the manifest")
    .action(exiting(take));
  copy
    .command("accept")
    .argument(
      "[what...]",
      "paths of texts, such as pages.offer-de.content.*, or files of translations (default: all that nobody has accepted yet, except stale ones)",
    )
    .description(
      "accept translations as right for the current source texts: those written by hand, and stale ones that are still right",
    )
    .option("--locale <tag>", "accept only translations into this language")
    .action(exiting(accept));
}

interface OpenedCopy {
  readonly manifest: Manifest;
  readonly folder: string;
  readonly translations: readonly Translation[];
  /** The sources that the translations were made from. */
  readonly record: CopyRecord;
}

function openCopy(dir: string): OpenedCopy {
  const root = resolve(dir);
  const manifest = manifestBeside(root);
  if (manifest === undefined) throw new UsageError(`there is no ${MANIFEST} in ${root}; -C DIR names another folder`);
  const translations = translationsIn(manifest);
  if (translations.length === 0)
    throw new UsageError(
      `${MANIFEST} has no content that is translated. Take it from a file by language: content: { file: "content/offer.*.yaml", locale: de }, and say copy: { source: en }`,
    );
  const folder = dirname(manifest.root.path);
  return { manifest, folder, translations, record: CopyRecord.read(folder) };
}

function extract({ C, locale, format, out }: ExtractOptions): ExitCode {
  const { manifest, translations, record } = openCopy(C);
  const locales = [...new Set(translations.map((one) => one.locale))];
  const own = translations.filter((one) => one.locale === locale);
  if (own.length === 0)
    throw new UsageError(`nothing is translated into "${locale}"${insteadOf(locale, locales, "Languages")}`);
  const isCsv = format === undefined ? out !== undefined && isCsvName(out) : format === "csv";
  const unfit = isCsv ? [] : unfitIn(own);
  const units = unitsOf(
    manifest,
    own.filter((one) => !unfit.includes(one)),
    record,
  );
  const text = isCsv ? csvOf(units) : xliffOf(units, { source: manifest.sourceLocale ?? "und", target: locale });
  for (const { path } of unfit)
    printError(
      `${styles(process.stderr).warn("warning:")} ${path} has a character that XML can't hold, and is left out: --format csv takes it`,
    );
  if (out === undefined) {
    process.stdout.write(text);
    return exitCodes.done;
  }
  try {
    writeFileSync(out, text);
  } catch (error) {
    throw explained(error, out);
  }
  const [open, stale] = [
    units.filter(({ target }) => target === undefined),
    units.filter(({ unfinished }) => unfinished),
  ];
  print(
    `${out}: ${counted(units.length, "text")} for ${locale}, ${open.length} of them without a translation, ${stale.length} stale.`,
  );
  return exitCodes.done;
}

/** Tells if the name is a CSV's. Refuses an unknown ending. */
function isCsvName(out: string): boolean {
  const ending = extname(out).toLowerCase();
  if ([".csv", ".xlf", ".xliff", ".xml"].includes(ending)) return ending === ".csv";
  throw new UsageError(
    `--out ${out} ends with neither .xlf (XLIFF) nor .csv: name the file so, or choose with --format`,
  );
}

function take(files: readonly string[], { C }: { C: string }): ExitCode {
  const read = files.map((name) => ({ name, cameBack: readCameBack(name) }));
  refuseContradictions(read.map(({ cameBack }) => cameBack));
  let failed = false;
  for (const { name, cameBack } of read) {
    const opened = openCopy(C);
    const imported = held(cameBack, opened);
    if (imported.refused)
      throw new UsageError(
        `${name} can't be taken, and nothing of it was written:\n\n${renderText(imported.problems)}`,
      );
    const written = writeAll(imported, opened);
    failed ||= imported.problems.length > 0;
    tellProblems(imported);
    print(told(name, imported, written));
  }
  return failed ? exitCodes.failed : exitCodes.done;
}

function accept(what: readonly string[], { C, locale }: { C: string; locale?: string }): ExitCode {
  const opened = openCopy(C);
  const { translations, record } = opened;
  const { cameBack, count, left, unknown } = accepted(translations, record, what, locale);
  const [none] = unknown;
  if (none !== undefined)
    throw new UsageError(
      `there is no translation ${none}${didYouMean(
        none,
        translations.map(({ path }) => path),
      )}`,
      { advice: [{ command: "check", arguments: [], reason: "names those that are stale." }] },
    );
  const imported = held(cameBack, opened);
  const written = writeAll(imported, opened);
  tellProblems(imported);
  const taken = count - imported.left;
  const lines = [
    taken === 0
      ? "No translation was waiting to be accepted."
      : `Accepted ${counted(taken, "translation")} of the original texts as they are now.`,
    ...(left.length > 0
      ? [
          `${left.length} ${left.length === 1 ? "is" : "are"} stale, and not named: ${left
            .map(({ path }) => path)
            .slice(0, 5)
            .join(", ")}.`,
        ]
      : []),
    ...(written.length > 0 ? [`Changed ${written.join(", ")}.`] : []),
  ];
  print(lines.join("\n"));
  return imported.problems.length > 0 ? exitCodes.failed : exitCodes.done;
}

function tellProblems({ problems }: Imported): void {
  if (problems.length === 0) return;
  tellsWhy();
  print(renderText(problems, { colour: styles(process.stdout).colour, guide: seePage("guides/translations.md") }));
}

/** Reads one file. All files are read before the first one is used. */
function readCameBack(name: string): CameBack {
  const diagnostics = new Diagnostics();
  const file = readForeignText(name, diagnostics);
  const isCsv = [".csv", ".tsv"].includes(extname(name).toLowerCase());
  const found = file && (isCsv ? readUnitsCsv : readUnitsXliff)(file, diagnostics);
  if (found !== undefined && !diagnostics.failed) return found;
  throw new UsageError(`${name} can't be taken, and nothing was written:\n\n${renderText(diagnostics.list())}`);
}

function refuseContradictions(read: readonly CameBack[]): void {
  const diagnostics = new Diagnostics();
  tellContradictions(read, diagnostics);
  if (!diagnostics.failed) return;
  throw new UsageError(
    `these files contradict each other, and nothing was written:\n\n${renderText(diagnostics.list())}`,
  );
}

function held(cameBack: CameBack, { manifest, translations, record }: OpenedCopy): Imported {
  return importUnits(cameBack, translations, record, textAt, manifest.sourceLocale ?? "und");
}

function textAt(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, "utf8").replace(/^\uFEFF/, "") : undefined;
}

function writeAll({ files, taken }: Imported, { folder, record }: OpenedCopy): string[] {
  if (taken === 0) return [];
  const texts = new Map([...files].map(([path, text]) => [relative(folder, path), text]));
  const copyText = record.text();
  if (copyText !== undefined) texts.set(COPY_FILE, copyText);
  const base = new Map(
    [...files.keys()].flatMap((path) => {
      const before = textAt(path);
      return before === undefined ? [] : [[relative(folder, path), before] as const];
    }),
  );
  return writeFiles(folder, texts, base);
}

function told(name: string, imported: Imported, written: readonly string[]): string {
  const { taken, same, empty, unfinished, older, missing, left } = imported;
  const parts = [
    `${counted(taken, "translation")} taken`,
    ...(same > 0 ? [`${same} as they were`] : []),
    ...(empty > 0 ? [`${empty} without a translation`] : []),
    ...(unfinished > 0 ? [`${unfinished} marked as unfinished`] : []),
    ...(left > 0 ? [`${left} not taken: see above`] : []),
  ];
  const stale = older.map(
    ({ path, locale }) => `  stale already, since its source has changed meanwhile: ${path} (${locale})`,
  );
  const leftOut =
    missing.length === 0
      ? []
      : [
          `  not in the file: ${listed(
            missing.map(({ path, locale }) => `${path} (${locale})`),
            5,
          )}`,
        ];
  const files = written.length === 0 ? [] : [`Changed ${written.join(", ")}.`];
  return [`${name}: ${parts.join(", ")}.`, ...stale, ...leftOut, ...files].join("\n");
}
