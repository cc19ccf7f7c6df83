/** `landform watch`: what is saved is applied. Errors are told, and don't end it; Ctrl-C does. */
import type { Command } from "commander";
import { LockedError, Spares } from "../../engine/index.ts";
import { stateHome } from "../engines/backend.ts";
import { openStack } from "../project/open.ts";
import { stackSettings } from "../project/account.ts";
import { readableSecrets } from "../project/secrets.ts";
import { exitCodes, RefusedError, UsageError, type ExitCode } from "../exit/codes.ts";
import { explain } from "../exit/explain.ts";
import {
  engineOption,
  safetyOptions,
  stackOptions,
  type EngineChoice,
  type SafetyOptions,
  type StackOptions,
} from "../options.ts";
import { Output } from "../output/terminal.ts";
import { summaryLine } from "../render/plan.ts";
import { troubleLines } from "../render/messages.ts";
import type { Report } from "../report/model.ts";
import { refusal } from "../run/safety.ts";
import { StackSession } from "../run/session.ts";
import { ProjectFiles } from "../watch/files.ts";
import { exiting } from "./action.ts";

interface WatchOptions extends StackOptions, SafetyOptions {
  engine: EngineChoice;
}

const NOTE = `
Meant for an emulator, or a stack that nobody else works on. Errors are told and don't end it; Ctrl-C does.`;

export function addWatch(program: Command): void {
  safetyOptions(engineOption(stackOptions(program.command("watch"))))
    .description("apply the code whenever a file of the project is saved")
    .addHelpText("after", NOTE)
    .action(exiting(watch));
}

async function watch(options: WatchOptions): Promise<ExitCode> {
  const output = new Output();
  const { root, stack, project } = await openStack(options.C, options.stack);
  await agree(options, output, `${project.name}/${stack}`);
  const chosen = { ...options, engine: await engineFor(options) };
  const spares = new Spares();
  const stopped = new AbortController();
  const stop = (): void => stopped.abort();
  process.on("SIGINT", stop).on("SIGTERM", stop);
  try {
    const files = new ProjectFiles(root);
    output.line(output.canvas.styles.faint(`Watching ${root}. Ctrl-C ends it.`));
    let changed: string[] = [];
    let wasLocked = false;
    while (!stopped.signal.aborted) {
      const isLocked = await applyOnce(chosen, { output, changed, spares, isAgain: wasLocked });
      spares.renew();
      const until = isLocked ? [AbortSignal.timeout(AGAIN_MS), stopped.signal] : [stopped.signal];
      const next = await files.nextChange(AbortSignal.any(until));
      wasLocked = isLocked && next === undefined;
      changed = next ?? changed;
    }
  } finally {
    process.off("SIGINT", stop).off("SIGTERM", stop);
    spares.close();
  }
  output.line("Stopped. What was applied stays.");
  return exitCodes.done;
}

/** Whoever watches is asked once: from then on, nobody is. */
async function agree(options: WatchOptions, output: Output, stack: string): Promise<void> {
  if (options.yes === true) return;
  const { baseUrl } = (await stackSettings(options)).values;
  const address = process.env["LANDFORM_BASE_URL"] || baseUrl;
  const host = typeof address === "string" ? (URL.parse(address)?.hostname ?? "") : "";
  if (host === "localhost" || host === "127.0.0.1" || host === "[::1]") return;
  if (!output.interactive)
    throw new UsageError("there is nobody to ask here. Add --yes to apply every save without asking");
  const answer = await output.askApproval(`Every save is applied to ${stack} at ${host} without asking. Go on? [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) throw new UsageError("not watched, and nothing was sent");
}

/** Pulumi's own engine starts anew for each run: where the state is in a folder, the embedded one serves it as well. */
async function engineFor({ C, stack, engine }: WatchOptions): Promise<EngineChoice> {
  if (engine !== "auto") return engine;
  const folder = await openStack(C, stack);
  const { files } = await stateHome(folder);
  return files !== undefined && (await readableSecrets(folder)) !== undefined ? "embedded" : "auto";
}

/** Another run that holds the stack ends by itself, and what was saved meanwhile is applied then. */
const AGAIN_MS = 3_000;

interface Save {
  readonly output: Output;
  readonly changed: readonly string[];
  readonly spares: Spares;
  /** Another run held the stack a moment ago: that it still does is no news. */
  readonly isAgain: boolean;
}

/** True where another run holds the stack. */
async function applyOnce(options: WatchOptions, { output, changed, spares, isAgain }: Save): Promise<boolean> {
  const { line, canvas } = output;
  if (!isAgain) line();
  if (changed.length > 0 && !isAgain) line(canvas.styles.strong(namesOf(changed)));
  try {
    await StackSession.with({ ...options, target: [] }, (session) => applyIn(session, options), {
      makesStack: true,
      runsProgram: true,
      spares,
    });
    return false;
  } catch (error) {
    const isLocked = error instanceof LockedError;
    if (isLocked && isAgain) return true;
    line(`${canvas.styles.bad("error:")} ${explain(error, { verbose: options.verbose === true }).message}`);
    if (isLocked) line(canvas.styles.faint("Tried again until it is free."));
    return isLocked;
  }
}

async function applyIn(session: StackSession, options: WatchOptions): Promise<ExitCode> {
  const { output } = session;
  await session.hold();
  // The limit of deletions needs a plan; a few resources have none, and are changed at once.
  if (await hasLimit(session, options)) {
    const { report: plan } = await session.run("preview", { kind: "preview" }, { quiet: true });
    if (plan.result !== "succeeded") return tell(session, plan);
    const refused = refusal(plan, options);
    if (refused !== undefined) throw new RefusedError(refused);
  }
  const { report } = await session.run("up", { kind: "up" });
  for (const url of report.urls.filter((_, index) => index < MOST_URLS))
    output.line(`  ${output.canvas.styles.link(url)}`);
  return tell(session, report);
}

const MOST_URLS = 5;
/** From here on the limit counts; see run/safety.ts. */
const FEW = 10;

async function hasLimit({ engine }: StackSession, { maxDeletes }: WatchOptions): Promise<boolean> {
  const known = await engine.resources();
  return maxDeletes !== undefined || known === undefined || known.length >= FEW;
}

function tell({ output }: StackSession, report: Report): ExitCode {
  for (const text of troubleLines(report, output.canvas)) output.line(text);
  output.line(summaryLine(report, output.canvas));
  return exitCodes.done;
}

function namesOf(changed: readonly string[]): string {
  const shown = changed.slice(0, 3).join(", ");
  return `${shown}${changed.length > 3 ? ` and ${changed.length - 3} more` : ""} changed`;
}
