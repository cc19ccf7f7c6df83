/** `landform history`: shows the runs of a stack, and the changes of one of them. It asks no service. */
import { existing, findRun, refuseBlankRun, refuseUnread, resultOf, unreadText } from "../../stack/history/history.ts";
import type { Command } from "commander";
import { changesOfRun } from "../../stack/history/changes.ts";
import { KeyRing, valuesOf } from "../../stack/history/keys.ts";
import { openHistory } from "../../stack/history/place.ts";
import type { RunRecord } from "../../stack/history/run-file.ts";
import { exitCodes, type ExitCode } from "../../stack/exit/codes.ts";
import { engineOption, exiting, fullOption, stackOptions } from "../options.ts";
import type { StateOptions } from "../../stack/options.ts";
import { printError, printJson } from "../../story/print.ts";
import { advisedFor } from "../../stack/advice/next-command.ts";
import { Output } from "../output/terminal.ts";
import { lastName, openStack, type StackFolder } from "../../stack/project/open.ts";
import { secretsOf } from "../../stack/settings/secrets.ts";
import { jsonRun, renderRun, renderRuns, type ListedRun } from "../../story/history.ts";

import { Redactor } from "../../stack/report/redact.ts";
import { requireStack, withStacks } from "../../stack/stacks/stacks.ts";

interface HistoryOptions extends StateOptions {
  json?: true;
  full?: true;
}

export function addHistory(program: Command): void {
  engineOption(stackOptions(program.command("history").argument("[run]", "id of the run, or the beginning of it")))
    .description("list the runs of a stack (time, person, changes), or show what one run changed")
    .option("--json", "print it as JSON")
    .option(...fullOption)
    .action(exiting(history));
}

async function history(id: string | undefined, asked: HistoryOptions): Promise<ExitCode> {
  refuseBlankRun(id);
  const folder = await openStack(asked.C, asked.stack);
  const options = { ...asked, stack: folder.stack };
  const { runs, unread } = await (await openHistory(options.engine, folder)).runs();
  const isHeld = await withStacks(options.engine, folder, async (stacks) => {
    await requireStack(stacks, folder, options.stack);
    return (await stacks.list()).some(({ name, holder }) => name === lastName(options.stack) && holder !== undefined);
  });
  const listed = runs.map((record): ListedRun => ({ record, result: resultOf(record, runs[0], isHeld) }));
  if (id === undefined) {
    showAll(listed, options);
    for (const one of unread) printError(unreadText(one));
    return exitCodes.done;
  }
  refuseUnread(runs, unread, id);
  await showOne(findRun(runs, id, options.stack), listed, folder, options);
  return exitCodes.done;
}

function showAll(runs: readonly ListedRun[], options: HistoryOptions): void {
  const { json, stack } = options;
  if (json === true) {
    printJson(runs.map(jsonRun));
    return;
  }
  const output = new Output();
  if (runs.length === 0) {
    output.line(`The stack ${stack} has no run. ${existing([])}`);
    return;
  }
  output.line(output.canvas.styles.strong(`Runs of ${stack}, the last one first`));
  output.line(renderRuns(runs, output.canvas));
  const advised = advisedFor(options, process.cwd());
  const hint = `${advised("history", "RUN")} shows what a run changed; ${advised("undo", "RUN")} takes it back.`;
  output.line(output.canvas.styles.faint(hint));
}

async function showOne(
  record: RunRecord,
  listed: readonly ListedRun[],
  folder: StackFolder,
  { json, full }: HistoryOptions,
): Promise<void> {
  const run = listed.find((one) => one.record === record) ?? { record, result: "interrupted" };
  const redactor = new Redactor(await secretsOf(folder));
  const changes = redactor.value(changesOfRun(await valuesOf(record, new KeyRing(folder)), record.end));
  if (json === true) {
    printJson({ ...jsonRun(run), details: changes });
    return;
  }
  const output = new Output({ ...(full && { full }) });
  output.line(renderRun(run, changes, output.canvas));
}
