/** `landform export`: writes an account, or a part of it, as code. */
import { resolve } from "node:path";
import { InvalidArgumentError, Option, type Command } from "commander";
import {
  defaultKinds,
  exportAccount,
  listedKinds,
  type ExportReport,
  type Model,
  type Progress,
} from "../../manifest/export/index.ts";
import { LandformApi } from "../../provider/api/index.ts";
import { counted } from "../../provider/values/wording.ts";
import { registry, type Kind } from "../../provider/kinds/registry.ts";
import { exitCodes, UsageError, type ExitCode } from "../../stack/exit/codes.ts";
import { origin } from "../init/folder.ts";
import { configOfEnvironment } from "../../stack/settings/settings.ts";
import { makeFolder, programFileIn } from "../../stack/project/files.ts";
import { claimedBeside } from "../../stack/checks/held-elsewhere.ts";
import { lastAppliedIn, outsideOf } from "../../stack/sources/compared.ts";
import { folderAt } from "../../stack/project/open.ts";
import { type Advised, advisedFor } from "../../stack/advice/next-command.ts";
import { styles, print, printError, printJson } from "../../story/print.ts";
import { printable } from "../../stack/report/printable.ts";
import { exiting, wrapped } from "../options.ts";

interface ExportOptions {
  C?: string;
  out?: string;
  format: "yaml" | "typescript";
  data?: "csv";
  project?: string;
  include: Kind[];
  asNew?: true;
  template: Map<string, string>;
  force?: true;
  json?: true;
  stack: string;
}

export function addExport(program: Command): void {
  program
    .command("export")
    .description(
      "write an existing account as code that adopts its objects, or merge the account's changes into such code",
    )
    .option("-C <dir>", "folder of an existing project, to merge with its last run (default: the folder of --out)")
    .option("-o, --out <dir>", "folder to write the code into (default: the folder of -C, else the current one)")
    .addOption(new Option("--format <format>", "language of the code").choices(["yaml", "typescript"]).default("yaml"))
    .addOption(
      new Option(
        "--data <format>",
        "write pages with the same site and content keys as a table, and their texts as files",
      ).choices(["csv"]),
    )
    .option("--project <id>", "export only this project and what belongs to it")
    .addOption(
      new Option("--include <kind>", `export only this kind; repeatable (${kindNames().join(", ")})`)
        .argParser(collectKind)
        .default([], "all"),
    )
    .option("--as-new", "leave out adoptId, so that the code makes a copy in another account")
    .addOption(
      new Option("--template <[key=]id>", "with --as-new: template of a page, or of all pages; repeatable")
        .argParser(collectTemplate)
        .default(new Map(), "none"),
    )
    .option("--force", "overwrite a program that was edited")
    .option("--json", "print what was written, as JSON")
    .option("-s, --stack <name>", "stack to compare with: its last run, and its settings for { config: }", "dev")
    .addHelpText(
      "after",
      wrapped("\nThe account is the one of LANDFORM_BASE_URL and LANDFORM_API_KEY. This command only reads it."),
    )
    .action(exiting(runExport));
}

async function runExport(given: ExportOptions): Promise<ExitCode> {
  const { C, out = C ?? "." } = given;
  const project = C === undefined ? resolve(out) : folderAt(C);
  const options = { ...given, out };
  const { include, template: templates, asNew } = options;
  if (templates.size > 0 && asNew !== true)
    throw new UsageError("--template goes with --as-new: what exists has its template");
  if (options.data !== undefined && (options.format !== "yaml" || asNew === true))
    throw new UsageError(
      "--data is for a landform.yaml that takes over what exists: it goes with neither --format typescript nor --as-new",
    );
  if (options.format === "yaml") refuseBesideProgram(out);
  const config = configOfEnvironment();
  const last = await lastAppliedIn(project, options.stack);
  if ("unread" in last)
    warn(
      `the state of the stack "${options.stack}" could not be read, so Landform can't tell what the code has changed since the last run: ${last.unread}`,
    );
  const claimed = await claimedBeside(project, options.stack);
  for (const why of claimed.unread)
    warn(`Landform could not read the state of another stack, so the export may have its objects: ${why}`);
  const lastApplied = "of" in last ? last.of : undefined;
  const folder = resolve(out);
  const api = new LandformApi(config);
  const progress = startProgress(process.stderr);
  makeFolder(folder);
  const outside = await outsideOf(project, options.stack);
  const known = { outside, lastApplied, claimed: claimed.by };
  const about = { folder, landform: origin().spec, ...known, onProgress: progress.show };
  const kinds = { include: include.length > 0 ? include : defaultKinds, templates };
  const report = await exportAccount(api, { ...options, ...about, ...kinds }).finally(async () => {
    progress.end();
    await api.close();
  });
  if (options.json === true) printJson(jsonOf(report));
  else print(printable(told(report, options)));
  return report.kept.length + report.gone.length > 0 ? exitCodes.changes : exitCodes.done;
}

function refuseBesideProgram(out: string): void {
  const program = programFileIn(out);
  if (program === undefined) return;
  throw new UsageError(
    `${resolve(out)} has ${program}, and Landform runs a program before a landform.yaml: nothing would read the new landform.yaml. ` +
      "--format typescript writes a program; -o DIR names another folder",
  );
}

function warn(text: string): void {
  printError(`${styles(process.stderr).warn("warning:")} ${text}`);
}

function jsonOf({ model, ...report }: ExportReport): object {
  const { title, resources, leftOut, warnings } = model;
  return { version: 1, from: title, resources: resources.length, ...report, leftOut, warnings };
}

function told(
  report: ExportReport,
  { out, stack, data }: Required<Pick<ExportOptions, "out" | "stack">> & Pick<ExportOptions, "data">,
): string {
  const advised = advisedFor({ C: out, stack }, process.cwd());
  const { files, added, updated, gone, kept, ahead, settings, model } = report;
  const { title, resources, leftOut, warnings } = model;
  const lines = [`Exported ${counted(resources.length, "resource")} of ${title} to ${resolve(out)}.`];
  if (files.length > 0) lines.push(`Written: ${filesText(files)}`);
  else if (kept.length === 0) lines.push("Nothing has changed since the last export.");
  if (data === "csv" && !files.some((file) => file.endsWith(".csv")))
    lines.push("No table was written: either nothing repeats, or the folder had a landform.yaml already.");
  if (updated.length > 0) lines.push(`Brought up to date: ${listed(updated)}`);
  if (added.length > 0 && added.length < resources.length) lines.push(`Added: ${listed(added)}`);
  if (kept.length > 0)
    lines.push(
      `The account has other values for these, and the code keeps its own; ${advised("up", "--refresh")} writes them to the account: ${listed(kept)}`,
    );
  if (ahead.length > 0)
    lines.push(
      `The code has changed these since the last run, and keeps its values; the next up applies them: ${listed(ahead)}`,
    );
  if (gone.length > 0)
    lines.push(
      `No longer in the account: ${listed(gone)}. Landform removed their adoptId, so ${advised("up", "--refresh")} makes them again. If you want them to stay deleted, remove them from the code.`,
    );
  for (const { kind, id, name, reason } of leftOut)
    lines.push(`Left out: ${kind} ${JSON.stringify(name)} (${id}), ${reason}`);
  if (model.copy) lines.push(...notesTold(model));
  lines.push(...[...warnings, ...draftsTold(report)].map((warning) => `Warning: ${warning}`));
  if (settings.length > 0)
    lines.push(
      `Set these first (${advised("config set", "KEY", "VALUE")}), since the API doesn't tell them: ${listed(settings)}`,
    );
  lines.push(nextOf(report, advised));
  return lines.join("\n");
}

/** Warns about texts that are only in drafts: the next up would publish them from the code. */
function draftsTold({ drafts: { texts, whole }, model }: ExportReport): string[] {
  return [
    ...(texts.length === 0
      ? []
      : [
          `The code now has these texts of drafts: ${listed(texts)}. ` +
            `By the dates of their pages, visitors don't read them yet, and the next up publishes them. ` +
            `Before that, remove texts from the code that must not be public.`,
        ]),
    ...(whole.length === 0
      ? []
      : [
          `These pages have unpublished edits, and the code has the texts of their drafts: ${listed(whole)}. ${model.copy ? WHOLE_OF_COPY : WHOLE}`,
        ]),
  ];
}

const WHOLE = "Adopting them publishes nothing. If a stack has them already, its next up publishes the edits.";
const WHOLE_OF_COPY = "The copies are published with these edits.";

function nextOf({ added, kept, gone, model }: ExportReport, advised: Advised): string {
  if (model.copy)
    return `Next: with LANDFORM_BASE_URL and LANDFORM_API_KEY of the other account, ${advised("preview")} shows what is made there; ${advised("up")} makes it.`;
  if (kept.length + gone.length === 0 && added.length === model.resources.length)
    return `Next: ${advised("preview")} shows the plan; ${advised("up")} adopts everything, and changes nothing.`;
  // A plain preview doesn't read objects that the state already has.
  const [shows, does] = kept.length + gone.length > 0 ? DIFFERENT : MERGED;
  return `Next: ${advised("preview", "--refresh")} shows ${shows}; ${advised("up", "--refresh")} ${does} it.`;
}

const DIFFERENT = ["what differs from the account", "applies"] as const;
/** For resources that the stack already has and for which the code has new values. */
const MERGED = ["what is left to send and to publish", "does"] as const;

/** The notes that a person has to read, each once with all its places. */
function notesTold({ resources }: Model): string[] {
  const notes = resources.flatMap(({ kind, key, notes: own }) =>
    own.map(({ field, text }) => ({
      text,
      place: `${registry[kind].section}.${key}${field === undefined ? "" : `.${field}`}`,
    })),
  );
  return [...Map.groupBy(notes, ({ text }) => text)].map(
    ([text, group]) => `Look at: ${listed(group.map(({ place }) => place))}: ${text}`,
  );
}

/** Counts texts in files of their own. They are many, and their names say little. */
function filesText(files: readonly string[]): string {
  const code = files.filter((file) => !file.startsWith("content/"));
  const texts = files.length - code.length;
  return [...code, ...(texts === 0 ? [] : [`${counted(texts, "text")} under content/`])].join(", ");
}

const SHOWN = 12;

function listed(names: readonly string[]): string {
  const more = names.length - SHOWN;
  return `${names.slice(0, SHOWN).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

interface ProgressLine {
  show: (progress: Progress) => void;
  end: () => void;
}

/** Shows one line that is overwritten on a terminal. Elsewhere it prints a line for every hundred content maps. */
function startProgress(stream: NodeJS.WriteStream): ProgressLine {
  const live = stream.isTTY && process.env["TERM"] !== "dumb";
  return {
    show: ({ what, done, total }) => {
      const text = total === undefined ? `Reading ${what}: ${done}` : `Reading ${what}: ${done} of ${total}`;
      if (live) stream.write(`\r\u001B[K${text}`);
      else if (done % 100 === 0) stream.write(`${text}\n`);
    },
    end: () => {
      if (live) stream.write("\r\u001B[K");
    },
  };
}

function kindNames(): string[] {
  return listedKinds.map((kind) => registry[kind].section);
}

/** Reads a kind by the name of its section, or by its own name. */
function collectKind(name: string, before: Kind[]): Kind[] {
  const found = (Object.keys(registry) as Kind[]).find((kind) => kind === name || registry[kind].section === name);
  if (found === undefined) throw new InvalidArgumentError(`It has to be one of ${kindNames().join(", ")}.`);
  if (!listedKinds.includes(found)) throw new InvalidArgumentError(`The API never lists ${registry[found].section}.`);
  return [...before, found];
}

function collectTemplate(text: string, before: Map<string, string>): Map<string, string> {
  const separator = text.indexOf("=");
  return new Map(before).set(text.slice(0, Math.max(separator, 0)), text.slice(separator + 1));
}
