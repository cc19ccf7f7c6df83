/** Pulumi's own engine behind the interface of both engines. */
import type { RunResult } from "../../report/run-result.ts";
import { reasonOf } from "../../../provider/values/wording.ts";
import { type EngineEvent, LockedError, provePassphrase, type ResourceState } from "../../../engine/index.ts";
import { type FactsFile, tellChildren } from "../children.ts";
import type { StackFolder } from "../../project/open.ts";
import { Collector } from "../../report/collect.ts";
import type { Failure } from "../../report/model.ts";
import type { Told } from "../../report/steps.ts";
import {
  goneLockNote,
  isService,
  leftInFolder,
  newStackNote,
  projectsWith,
  refOf,
  withPassphrase,
  renamedHint,
  shownAddress,
  stateHome,
} from "../place.ts";
import {
  FolderLedger,
  KEPT_ON_MACHINE,
  type LedgerPlace,
  LOOKS_FIRST,
  looksFirst,
  openLedger,
  type StackLedger,
} from "../ledger.ts";
import { type FoundPulumi, PulumiCli, PulumiCliError } from "./cli.ts";
import { isCutShort, needsNoSaving, savedAtEndText, savesAtEnd, SKIP_VARIABLE } from "./interrupted.ts";
import { failuresOf, failuresWhenEnded, lockedMessage, lostLockFailure } from "./failures.ts";
import { orderFor, servesProgram } from "./order.ts";
import { dependenciesIn, leavesAll, planFile, planIn, plannedSecrets } from "./plan-file.ts";
import { WaitingHost } from "./host/waiting.ts";
import { drive, type End, isEndedByUs } from "./process.ts";
import { type ProgramServer, startProgramServer } from "./program.ts";
import { clearSettled, PulumiState, updatesSince } from "./state.ts";
import { StackTags } from "./stack-tags.ts";
import {
  changedKeys,
  changes,
  type Engine,
  type EngineOptions,
  type RunRequest,
  type SecretKeys,
  type Update,
} from "../contract.ts";
import { creationsIn, recordsIn, type RecordedState, type StateResource, toldByState } from "../recorded.ts";

type OnEvent = (event: EngineEvent) => void;

/** A run before Pulumi starts. */
interface Begun {
  readonly request: RunRequest;
  readonly recorded: RecordedState;
  /** It changes nothing. */
  readonly isLook: boolean;
  readonly looksFirst: boolean;
  readonly isSavedOnce: boolean;
  readonly facts: FactsFile;
}

/** A run after Pulumi's end. */
interface Ran extends Pick<RunResult, "result" | "places" | "plan"> {
  readonly end: End;
  readonly collector: Collector;
}

const NOTHING_RECORDED: RecordedState = { manifest: { time: "" }, resources: [], pending: [] };

export class PulumiEngine implements Engine {
  readonly name = "pulumi";
  readonly version: string;
  readonly notes: string[] = [];
  readonly #folder: StackFolder;
  readonly #options: EngineOptions;
  readonly #cli: PulumiCli;
  readonly #state: PulumiState;
  readonly #ledger: LedgerPlace;
  /** A process that waits for the program of the next run. */
  #server: ProgramServer | undefined;
  /** A process that waits for the providers of the next run. */
  #host: WaitingHost | undefined;
  /** True if the stack existed at the first look at the state. */
  #wasThere: boolean | undefined;

  private constructor(cli: PulumiCli, folder: StackFolder, options: EngineOptions) {
    const { runsProgram } = options;
    if (runsProgram === true && servesProgram(cli, folder)) this.#server = startProgramServer(folder.root);
    this.#options = options;
    this.version = cli.found.version;
    this.#cli = cli;
    this.#state = new PulumiState(cli, folder);
    this.#ledger = ledgerOf(cli, folder);
    this.#folder = folder;

    if (runsProgram === true) this.#host = this.#startHost();
  }

  static async open(found: FoundPulumi, folder: StackFolder, options: EngineOptions = {}): Promise<PulumiEngine> {
    const engine = new PulumiEngine(new PulumiCli(found, folder, await stateHome(folder)), folder, options);
    try {
      await engine.#opened();
      return engine;
    } catch (error) {
      await engine.close();
      throw error;
    }
  }

  async #opened(): Promise<void> {
    const folder = this.#folder;
    const { home } = this.#cli;
    const { files } = home;
    await withPassphrase(refOf(folder), process.env, (env) =>
      provePassphrase(folder.config, env, async () => (await this.#state.stored())?.secrets_providers),
    );
    await files?.forgetTornAttributes(refOf(folder));
    if (files !== undefined && !(await files.exists(refOf(folder)))) {
      const [other] = files.root === folder.root ? await projectsWith(files, refOf(folder)) : [];
      if (other !== undefined) this.notes.push(renamedHint(other, folder.stack));
      this.notes.push(newStackNote(files, refOf(folder)));
    }
    if (files?.root !== folder.root) {
      const left = await leftInFolder(folder, shownAddress(home));
      if (left !== undefined && (await this.#state.stored()) === undefined) this.notes.push(left);
    }
  }

  /** Pulumi locks the stack for each operation, but doesn't check if the holder of a lock is gone. */
  async hold(): Promise<void> {
    const gone = (await this.#cli.home.files?.forgetGoneLocks(refOf(this.#folder))) ?? [];
    this.notes.push(...gone.map(goneLockNote));
  }

  /** Pulumi makes a stack for a preview, and doesn't remove a stack that holds anything. */
  async forgetNew(): Promise<void> {
    if (this.#wasThere === false && (await this.#state.stored()) !== undefined)
      await this.#cli.ask("stack", "rm", this.#folder.stack, "--yes", "--preserve-config");
  }

  close(): Promise<void> {
    this.#server?.stop();
    this.#host?.stop();
    this.#cli.close();
    return Promise.resolve();
  }

  async resources(): Promise<readonly string[] | undefined> {
    return (await this.#state.stored())?.resources?.map(({ urn }) => urn);
  }

  async records(): Promise<readonly StateResource[] | undefined> {
    const states = await this.#state.states();
    return states && recordsIn(states);
  }

  async underWay(): Promise<readonly StateResource[]> {
    return creationsIn((await this.#recorded()).pending);
  }

  ledger(): Promise<StackLedger> {
    return openLedger(this.#ledger, () => this.#recorded());
  }

  async looksFirstAt(): Promise<readonly string[]> {
    const recorded = await this.#recorded();
    const isDue = looksFirst({ kind: "up" }, recorded, await this.#ledger.read());
    return isDue ? recorded.resources.map(({ urn }) => urn) : [];
  }

  get stateFolder(): string | undefined {
    return this.#cli.home.files?.root;
  }

  async states(): Promise<readonly ResourceState[] | undefined> {
    return this.#state.states();
  }

  /** Returns the stack's configuration as Pulumi reads it, secrets in the clear. Returns undefined if Pulumi can't read it. */
  async configuration(): Promise<Readonly<Record<string, string>> | undefined> {
    const args = ["config", "--json", "--show-secrets", "--stack", this.#folder.stack];
    const printed = await this.#cli.ask(...args).catch(() => undefined);
    if (printed === undefined) return undefined;
    const entries = Object.entries(JSON.parse(printed) as Record<string, { value?: string }>);
    return Object.fromEntries(entries.flatMap(([key, { value }]) => (value === undefined ? [] : [[key, value]])));
  }

  async secretTexts(plan?: unknown): Promise<string[]> {
    return this.#state.secretTexts(plan);
  }

  async changedSecrets(reviewed: unknown, now: unknown): Promise<SecretKeys | undefined> {
    const secrets = await this.#state.secrets();
    if (secrets === undefined) return undefined;
    const [then, today] = [plannedSecrets(reviewed, secrets), plannedSecrets(now, secrets)];
    return then && today && changedKeys(then, today);
  }

  async updates(since: Date): Promise<readonly Update[]> {
    return updatesSince(this.#cli, this.#folder.stack, since);
  }

  async run(given: RunRequest, onEvent: OnEvent): Promise<RunResult> {
    const begun = await this.#begin(given, onEvent);
    const ran = await this.#drive(begun, onEvent);
    await this.#settle(begun, ran, onEvent);
    const { request, recorded, isLook, looksFirst: isDue } = begun;
    const { collector, plan, result, places } = ran;
    const told = toldByState(recorded);
    const isFound = isDue || request.refresh === true || told.pending.length > 0;
    const outputs = Object.entries(collector.stackOutputs).map(([name, value]) => [name, { value, secret: false }]);
    return {
      result,
      outputs: Object.fromEntries(outputs) as RunResult["outputs"],
      failures: await this.#failures(ran, request),
      ...told,
      places,
      plan,
      dependencies: (urn) => dependenciesIn(plan, urn),
      unchanged:
        result === "succeeded" && isLook && !isFound && leavesAll(plan, recorded.resources, retainedIn(collector)),
    };
  }

  async #begin(given: RunRequest, onEvent: OnEvent): Promise<Begun> {
    const recorded = await this.#recorded();
    const isDue = looksFirst(given, recorded, await this.#ledger.read());
    if (isDue) onEvent(diagnostic("info", LOOKS_FIRST));
    const request = isDue ? { ...given, refresh: true as const } : given;
    const isLook = request.kind === "preview" || request.dryRun === true;
    const isProven = this.#ledger !== KEPT_ON_MACHINE;
    const isSavedOnce = savesAtEnd(request, { version: this.version, isProven, env: process.env });
    if (isSavedOnce) onEvent(diagnostic("info", savedAtEndText(request.planned?.length ?? 0)));
    const ledger = await this.#ledger.begin(recorded, { changesNothing: isLook, savesAtEnd: isSavedOnce });
    if (recorded === NOTHING_RECORDED) await this.#makeStack();
    const goesOn = request.goesOn ?? (isDue || undefined);
    const facts = tellChildren(request, recorded, { ...ledger, ...(isSavedOnce && { savesAtEnd: true }), goesOn });
    return { request, recorded, isLook, looksFirst: isDue, isSavedOnce, facts };
  }

  async #drive({ request, recorded, isLook, isSavedOnce, facts }: Begun, onEvent: OnEvent): Promise<Ran> {
    const { root } = this.#folder;
    const { scratch } = this.#cli;
    const { verbose = false, spares } = this.#options;
    const collector = new Collector();
    const host = this.#host?.isThere === true ? this.#host : this.#startHost();
    // A plan is often carried out.
    this.#host = isLook ? host : undefined;
    let program: ProgramServer | undefined;
    try {
      const plan = planFile(scratch, request, recorded.resources);
      const order = orderFor(this.#cli, this.#folder, request, { facts, plan, verbose, host });
      if (isSavedOnce || needsNoSaving(request, process.env)) order.env[SKIP_VARIABLE] = "true";
      if (order.inline !== undefined) {
        program = this.#server ?? startProgramServer(root);
        this.#server = undefined;
      }
      // A command with spare processes applies what it plans.
      const isServedAgain = spares !== undefined && request.kind === "preview" && program !== undefined;
      const end = await drive({
        ...{ request: order, scratch, program, signals: request },
        askPlace: (answerMs) => this.#cli.askPlace(answerMs),
        onEvent: (event) => {
          if (isServedAgain && changes(event)) this.#server ??= startProgramServer(root);
          collector.add(event);
          onEvent(event);
        },
      });
      const written = request.wantsPlan === true ? planIn(plan) : undefined;
      return { end, collector, plan: written, places: facts.places(root), result: outcomeOf(end, request, collector) };
    } finally {
      program?.stop();
      if (this.#host === undefined) host?.stop();
      facts.remove();
      this.#state.forget();
    }
  }

  /** Tidies up what the run has begun. If that fails, the next run does it. */
  async #settle({ request, isLook }: Begun, { end, collector, result }: Ran, onEvent: OnEvent): Promise<void> {
    if (isEndedByUs(end)) {
      this.#cli.expectNothing();
      return;
    }
    // A run that the lock kept away has begun nothing, and only the holder of the lock writes to the ledger.
    const isKeptAway = end.end === "failed" && end.locked;
    if (isLook || end.lostLock || isKeptAway) return;
    const isWhole = (request.targets ?? []).length === 0;
    const succeeded = result === "succeeded";
    const writes = [...collector.told.values()].some(writesLedger);
    try {
      await this.#ledger.end({ read: () => this.#recorded(), writesLedger: writes, isWhole, succeeded });
    } catch (error) {
      const message = `the ledger of this run's creations could not be tidied up: ${reasonOf(error)}`;
      onEvent(diagnostic("warning", message));
    }
    if (!succeeded || !isWhole) return;
    const why = await clearSettled(this.#cli, this.#folder.stack, this.#state, this.#ledger);
    this.#state.forget();
    if (why !== undefined) onEvent(diagnostic("warning", why));
  }

  async #failures({ end, collector, result }: Ran, request: RunRequest): Promise<Failure[]> {
    if (isEndedByUs(end)) return failuresWhenEnded(end, collector, shownAddress(this.#cli.home));
    const isTold = end.end === "failed" && result !== "cancelled";
    const told = isTold ? failuresOf({ ...end, holders: await this.#state.holders() }, collector, request) : [];
    return end.lostLock ? [...told, lostLockFailure] : told;
  }

  async #recorded(): Promise<RecordedState> {
    const stored = await this.#state.stored();
    this.#wasThere ??= stored !== undefined;
    if (stored === undefined) return NOTHING_RECORDED;
    const { manifest, resources = [], pending_operations: pending = [] } = stored;
    // A stack that was never deployed to has the time at which it is read.
    return { manifest: manifest.magic === "" ? { time: "" } : manifest, resources, pending };
  }

  #startHost(): WaitingHost | undefined {
    const { scratch, workDir } = this.#cli;
    return WaitingHost.start({ scratch, workDir, project: this.#folder.project.name });
  }

  /** Makes the stack. Somebody else may be faster. */
  async #makeStack(): Promise<void> {
    try {
      await this.#cli.ask("stack", "init", this.#folder.stack, "--no-select");
    } catch (error) {
      if (!(error instanceof PulumiCliError)) throw error;
      const { holders, isThere, message: output } = error;
      if (holders.length > 0) throw new LockedError(lockedMessage({ output, holders }), holders);
      if (!isThere) throw error;
    }
  }
}

function outcomeOf(end: End, { cancel, planned }: RunRequest, { told }: Collector): RunResult["result"] {
  const isCancelled = cancel?.aborted === true && end.end !== "gone";
  const isDone = end.end === "succeeded" && !end.lostLock && !(isCancelled && isCutShort(planned, told));
  return isDone ? "succeeded" : isCancelled ? "cancelled" : "failed";
}

/** Finds the place of the ledger. Pulumi's own service takes only short tags. */
function ledgerOf(cli: PulumiCli, folder: StackFolder): LedgerPlace {
  const { home } = cli;
  if (home.files !== undefined) return new FolderLedger(home.files.root, refOf(folder));
  return isService(home) ? KEPT_ON_MACHINE : new StackTags(cli, folder);
}

function retainedIn({ told }: Collector): Set<string> {
  const all = [...told.values()].filter(({ steps }) => steps.get("same")?.new?.retainOnDelete === true);
  return new Set(all.map(({ urn }) => urn));
}

/** Creations and removals are entries of the ledger. */
function writesLedger({ steps }: Told): boolean {
  return [...steps.keys()].some((op) => op.startsWith("create") || op.startsWith("delete"));
}

function diagnostic(severity: "info" | "warning", message: string): EngineEvent {
  const now = Math.floor(Date.now() / 1000);
  return { sequence: 0, timestamp: now, diagnosticEvent: { message, color: "never", severity } };
}
