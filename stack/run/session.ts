/** The shared parts of every command on a stack: engine, interruption, progress, secrets to hide, and the report of each run. */
import type { RunResult } from "../report/run-result.ts";
import type { EngineEvent } from "../../engine/index.ts";
import { Recording } from "../history/recording.ts";
import { CHANGES_THE_ACCOUNT, RUNS_A_PROGRAM, type Engine, type RunRequest } from "../engines/contract.ts";
import { exitCodes, type ExitCode } from "../exit/codes.ts";
import { Interruption, SILENT, type Progress, type Teller } from "./teller.ts";
import type { OperationOptions } from "../options.ts";
import { type Advised, adviceFor, advisedFor } from "../advice/next-command.ts";
import type { Notice } from "../../provider/messages/notices.ts";
import type { AccountOfKey } from "../../provider/pulumi/run-facts.ts";
import type { PreviewFacts } from "../../provider/preview/facts.ts";
import type { StackFolder } from "../project/open.ts";
import { withDeclaredPlace, withPlacesInData, emptiedCells } from "../report/written-in.ts";
import {
  asForeseen,
  buildReport,
  plannedIn,
  type Planned,
  type PlanSummary,
  type ReportParts,
} from "../report/build.ts";
import { type Activity, Collector } from "../report/collect.ts";
import { leftBy, withLearned } from "../report/decide.ts";
import { learnedBefore, takenOver } from "../report/learned.ts";
import type { Advice, Change, Report, Verb } from "../report/model.ts";
import type { Redactor } from "../report/redact.ts";
import { settingsOf, type StackSettings } from "../settings/settings.ts";
import { AccountReader, type Looking } from "./account-reader.ts";
import { openAll, type Opened, type Opening, type Unsaved, refuseOtherPreview } from "./opened.ts";
import { selectedNote } from "../engines/place.ts";
import { Targeting } from "./targets.ts";

export interface Ran {
  report: Report;
  plan: RunResult["plan"];
  /** The plan for a run that follows. */
  preview: Planned;
  notices: readonly Notice[];
  /** For a preview: the report of an apply that would do and record nothing. */
  idle?: Report;
}

interface RunAbout {
  total?: number;
  quiet?: boolean;
  /** The plan that a failed run is compared with, and that its history begins with. */
  forecast?: PlanSummary;
  /** The changes of the plan, with what the account said of them. */
  planned?: readonly Change[];
  undoes?: string;
  reviewed?: string | undefined;
}

/** The time for work under way to end after the second signal. */
const GRACE_MS = 1_000;

export class StackSession {
  readonly folder: StackFolder;
  readonly engine: Engine;
  readonly teller: Teller;
  readonly options: OperationOptions;
  readonly redactor: Redactor;
  readonly interruption: Interruption;
  readonly advised: Advised;
  readonly #advice: (advice: Advice) => Advice;
  readonly #targets: Targeting;
  /** Creations of a run that was killed before it saved the state. */
  readonly unsaved: Unsaved;
  #isRunning = false;
  /** True if the state has something to tell. */
  #hasRun = false;
  #held: Promise<void> | undefined;
  /** Set if the program runs as a preview of itself. */
  preview: PreviewFacts | undefined;
  readonly #readers = new Map<boolean, Promise<AccountReader>>();
  readonly #atEnd: (() => void)[] = [];

  private constructor(
    opened: Opened,
    { options, typed, teller }: { options: OperationOptions; typed: object; teller: Teller },
  ) {
    const { folder, engine, redactor, unsaved } = opened;
    this.folder = folder;
    this.engine = engine;
    this.unsaved = unsaved;
    this.options = options;
    this.redactor = redactor;
    this.teller = teller;
    this.advised = advisedFor(typed, process.cwd());
    this.#advice = adviceFor(typed, process.cwd());
    this.#targets = new Targeting(options.target, folder);
    this.interruption = new Interruption((line) => teller.aside(line));
  }

  /** Opens the stack, checks that the service answers, and closes everything after `work`. */
  static async with<Result extends ExitCode | { readonly exit: ExitCode }>(
    options: OperationOptions,
    work: (session: StackSession) => Promise<Result>,
    { teller = SILENT, ...opening }: Opening & { readonly teller?: Teller | undefined } = {},
  ): Promise<Result> {
    const opened = await openAll(options, opening);
    const { engine, redactor } = opened;
    const session = new StackSession(opened, { options, typed: opening.typed ?? options, teller });
    session.#tellNotes([...engine.notes, ...[opened.unsaved.note ?? [], selectedNote(opened.folder) ?? []].flat()]);
    session.interruption.terminate.addEventListener("abort", () => session.#leaveSoon());
    let isDone = false;
    try {
      const result = await work(session);
      const code = typeof result === "object" ? result.exit : result;
      isDone = code === exitCodes.done || code === exitCodes.changes;
      return result;
    } catch (error) {
      if (error instanceof Error) redactor.error(error);
      throw error;
    } finally {
      session.interruption.close();
      await session.#forgetAccount();
      for (const work of session.#atEnd) work();
      // The reason why there is no plan is told instead.
      const isKept = session.#hasRun || (isDone && opening.makesStack !== "for a look");
      if (!isKept) await opened.forgetNew().catch(() => undefined);
      await engine.close();
    }
  }

  /** Keeps other runs away to the end. Callers may ask more than once. */
  hold(): Promise<void> {
    return (this.#held ??= this.#hold());
  }

  async #hold(): Promise<void> {
    const told = this.engine.notes.length;
    await this.engine.hold();
    this.#tellNotes(this.engine.notes.slice(told));
  }

  atEnd(work: () => void): void {
    this.#atEnd.push(work);
  }

  /** Returns the one reader of the account. A run that changes something forgets what it has read. */
  async account({ full = false, told }: Looking = {}): Promise<AccountReader> {
    const reader = this.#readers.get(full) ?? this.#openAccount(full);
    this.#readers.set(full, reader);
    return (await reader).hears(told);
  }

  async #openAccount(full: boolean): Promise<AccountReader> {
    return new AccountReader(await this.settings(), (await this.engine.records()) ?? [], full);
  }

  async #toldAccounts(): Promise<AccountOfKey[]> {
    const readers = await Promise.allSettled(this.#readers.values());
    return readers.flatMap((one) => (one.status === "fulfilled" ? one.value.toldAccounts() : []));
  }

  async #forgetAccount(): Promise<void> {
    const readers = [...this.#readers.values()];
    this.#readers.clear();
    await Promise.all(readers.map((one) => one.then((reader) => reader.close()).catch(() => undefined)));
  }

  #tellNotes(notes: readonly string[]): void {
    for (const note of notes) this.teller.note(note);
    if (notes.length > 0) this.teller.line();
  }

  /** A look at an account that doesn't answer does not end, and a CI gives only a few seconds: the lock must not outlive the process. */
  #leaveSoon(): void {
    const leave = (): void => {
      if (!this.#isRunning) void this.engine.close().finally(() => process.exit(exitCodes.failed));
    };
    setTimeout(leave, GRACE_MS).unref();
  }

  /** Runs one command. A run that changes the account is kept in the stack's history. */
  async run(command: Verb, request: RunRequest, about: RunAbout = {}): Promise<Ran> {
    const ran = await this.#once(command, request, about);
    if (request.kind !== "preview") return ran;
    const whole = this.#targets.learnNames(ran.preview, request) ? await this.#once(command, request, about) : ran;
    return this.#targets.held(whole, this.engine);
  }

  async #once(
    command: Verb,
    request: RunRequest,
    { total, quiet = false, forecast, planned: rows = [], undoes, reviewed }: RunAbout,
  ): Promise<Ran> {
    this.unsaved.refuse(command);
    const startedAt = Date.now();
    this.#isRunning = true;
    const collector = new Collector(leftBy(forecast?.changes ?? []));
    const adopts = new Set(rows.flatMap(({ op, urn }) => (op === "adopt" ? [urn] : [])));
    const program = RUNS_A_PROGRAM.has(request.kind);
    const progress: Progress = this.teller.progress({ total, redact: this.redactor.text, quiet, program });
    const onEvent = (event: EngineEvent): void => {
      progress.heard();
      for (const activity of collector.add(event)) progress.add(asAdopted(activity, adopts));
    };
    let recording: Recording | undefined;
    try {
      const known = await this.#targets.known(this.engine, request.kind);
      const changes = CHANGES_THE_ACCOUNT.has(request.kind) && request.dryRun !== true;
      this.#hasRun ||= changes;
      if (changes) recording = await this.#record(command, { forecast, undoes, reviewed, key: request.restore?.key });
      const complete = this.#complete(request);
      const keys = changes ? await this.#toldAccounts() : [];
      const ended = await this.engine.run(
        {
          ...complete,
          ...(recording && { record: recording.record }),
          ...(keys.length > 0 && { keys }),
          ...(forecast && { planned: forecast.steps }),
          ...(reviewed !== undefined && { reviewed }),
        },
        onEvent,
      );
      collector.recorded(ended, this.unsaved.isSo);
      if (ended.plan !== undefined) this.redactor.learn(await this.engine.secretTexts(ended.plan));
      const run = this.#targets.withUnmatched(ended, new Set([...known, ...collector.told.keys()]), request.kind);
      const durationMs = Date.now() - startedAt;
      const { targets } = complete;
      const whole = this.#report({ command, collector, run, durationMs, forecast, planned: rows, targets });
      const learned = learnedBefore(whole.changes, rows, forecast?.changes ?? []);
      const report = this.redactor.value(withLearned(whole, new Map([...learned, ...takenOver(whole.changes, rows)])));
      await recording?.end(report, collector.told);
      if (request.kind === "preview") refuseOtherPreview(collector, this.folder.stack);
      const idle = run.unchanged === true && {
        idle: this.redactor.value(this.#report({ command: "up", collector, run, durationMs })),
      };
      // Shares the report's changes instead of a second copy: for thousands of resources each copy is large.
      const planned = { ...plannedIn(collector), changes: whole.changes, places: run.places };
      return { report, plan: run.plan, preview: planned, notices: collector.notices, ...idle };
    } catch (error) {
      await recording?.abandon(collector.told);
      throw error;
    } finally {
      this.#isRunning = false;
      if (request.kind !== "preview" && request.dryRun !== true) await this.#forgetAccount();
      progress.end();
    }
  }

  #record(command: Verb, about: Parameters<typeof Recording.begin>[2]): Promise<Recording | undefined> {
    const { engine, folder } = this;
    const tell = (line: string): void => this.teller.aside(`note: ${this.redactor.text(line)}`);
    const part = this.options.target.length > 0 && { part: true as const };
    return Recording.begin({ engine, folder, tell }, command, { ...about, ...part });
  }

  /** Returns the settings of the account. Their secrets are hidden from then on. */
  async settings(): Promise<StackSettings> {
    const settings = await settingsOf(this.folder);
    this.redactor.learn(settings.secrets);
    return settings;
  }

  /** Completes the commands that a report advises, for this run. */
  readonly said = (report: Report): Report => {
    const { findings, failures, advice } = report;
    const completed = <One extends { readonly advice?: readonly Advice[] }>(one: One): One =>
      one.advice === undefined ? one : { ...one, advice: one.advice.map(this.#advice) };
    return {
      ...report,
      ...{ findings: findings.map(completed), failures: failures.map(completed) },
      ...(advice && { advice: advice.map(this.#advice) }),
    };
  };

  #complete(request: RunRequest): RunRequest {
    const { parallel, continueOnError } = this.options;
    const targets = this.#targets.urns;
    const { cancel, terminate } = this.interruption;
    const preview = RUNS_A_PROGRAM.has(request.kind) ? this.preview : undefined;
    const own = { continueOnError, targets, cancel, terminate, preview };
    return { parallel, ...own, ...request };
  }

  /** Makes the report without secrets. Only what is made here leaves the session. */
  #report(parts: Omit<ReportParts, "project" | "stack" | "root" | "engine" | "verbose">): Report {
    const { project, stack, root, manifest } = this.folder;
    const verbose = this.options.verbose === true;
    const emptied = manifest && emptiedCells(manifest);
    const report = buildReport({ ...parts, project: project.name, stack, root, engine: this.engine, verbose, emptied });
    const { places } = parts.run;
    const failures = report.failures.map((one) => withDeclaredPlace(one, { manifest, places }));
    const placed = manifest ? withPlacesInData(report.changes, manifest) : report.changes;
    const changes = asForeseen(placed, parts.forecast?.changes ?? []);
    return { ...report, changes, failures };
  }
}

function asAdopted(activity: Activity, adopts: ReadonlySet<string>): Activity {
  if (activity.kind === "printed" || activity.step.op !== "create" || !adopts.has(activity.step.urn)) return activity;
  return { ...activity, step: { ...activity.step, op: "adopt" } };
}
