/** Pulumi's own engine behind the interface of both engines. */
import type { RunResult } from "../../report/run-result.ts";
import { reasonOf } from "../../../provider/values/wording.ts";
import { type EngineEvent, LockedError, provePassphrase, type ResourceState } from "../../../engine/index.ts";
import type { ProgramPlaces } from "../../../provider/pulumi/program-places.ts";
import { tellChildren } from "../children.ts";
import type { StackFolder } from "../../project/open.ts";
import { Collector } from "../../report/collect.ts";
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
  type RunEnds,
  type StackLedger,
} from "../ledger.ts";
import { type FoundPulumi, PulumiCli, PulumiCliError } from "./cli.ts";
import { isCutShort, needsNoSaving, savedAtEndText, savesAtEnd, SKIP_VARIABLE } from "./interrupted.ts";
import { failuresOf, failuresWhenEnded, lockedMessage, lostLockFailure } from "./failures.ts";
import { orderFor, servesProgram } from "./order.ts";
import { dependenciesIn, leavesAll, planFile, planIn, plannedSecrets } from "./plan-file.ts";
import { WaitingHost } from "./host/waiting.ts";
import { drive } from "./process.ts";
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
import {
  creationsIn,
  interruptedIn,
  goingWith,
  leftByRuns,
  recordsIn,
  type RecordedState,
  sharedUrns,
  type StateResource,
} from "../recorded.ts";

const NOTHING_RECORDED: RecordedState = { manifest: { time: "" }, resources: [], pending: [] };

export class PulumiEngine implements Engine {
  readonly name = "pulumi";
  readonly version: string;
  readonly notes: string[] = [];
  readonly #folder: StackFolder;
  readonly #verbose: boolean;
  /** The command applies what it plans. */
  readonly #isForTwo: boolean;
  readonly #cli: PulumiCli;
  readonly #state: PulumiState;
  readonly #ledger: LedgerPlace;
  /** A process that waits for the program of the next run. */
  #server: ProgramServer | undefined;
  /** A process that waits for the providers of the next run. */
  #host: WaitingHost | undefined;
  /** True if the stack existed at the first look at the state. */
  #wasThere: boolean | undefined;

  private constructor(cli: PulumiCli, folder: StackFolder, { verbose = false, spares, runsProgram }: EngineOptions) {
    if (runsProgram === true && servesProgram(cli, folder)) this.#server = startProgramServer(folder.root);
    this.#isForTwo = spares !== undefined;
    this.version = cli.found.version;
    this.#cli = cli;
    this.#state = new PulumiState(cli, folder);
    this.#ledger = ledgerOf(cli, folder);
    this.#folder = folder;
    this.#verbose = verbose;
    if (runsProgram === true) this.#host = this.#startHost();
  }

  static async open(found: FoundPulumi, folder: StackFolder, options: EngineOptions = {}): Promise<PulumiEngine> {
    const home = await stateHome(folder);
    const engine = new PulumiEngine(new PulumiCli(found, folder, home), folder, options);
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

  async run(given: RunRequest, onEvent: (event: EngineEvent) => void): Promise<RunResult> {
    const recorded = await this.#recorded();
    const kept = await this.#ledger.read();
    const isDue = looksFirst(given, recorded, kept);
    if (isDue) onEvent(diagnostic("info", LOOKS_FIRST));
    const request = isDue ? { ...given, refresh: true as const } : given;
    const pending = interruptedIn(recorded.pending);
    const changesNothing = request.kind === "preview" || request.dryRun === true;
    const isSavedOnce = savesAtEnd(request, {
      version: this.version,
      isProven: this.#ledger !== KEPT_ON_MACHINE,
      env: process.env,
    });
    if (isSavedOnce) onEvent(diagnostic("info", savedAtEndText(request.planned?.length ?? 0)));
    const ledger = await this.#ledger.begin(recorded, { changesNothing, savesAtEnd: isSavedOnce });
    const facts = tellChildren(request, recorded, {
      ...ledger,
      ...(isSavedOnce && { savesAtEnd: true as const }),
      goesOn: request.goesOn ?? (isDue || undefined),
    });
    const plan = planFile(this.#cli.scratch, request, recorded.resources);
    const collector = new Collector();
    if (recorded === NOTHING_RECORDED) await this.#makeStack();
    const host = this.#host?.isThere === true ? this.#host : this.#startHost();
    // A plan is often carried out.
    this.#host = changesNothing ? host : undefined;
    const order = orderFor(this.#cli, this.#folder, request, { facts, plan, verbose: this.#verbose, host });
    if (isSavedOnce || needsNoSaving(request, process.env)) order.env[SKIP_VARIABLE] = "true";
    const program = order.inline === undefined ? undefined : (this.#server ?? startProgramServer(this.#folder.root));
    if (program !== undefined) this.#server = undefined;
    const isServedAgain = this.#isForTwo && request.kind === "preview" && program !== undefined;
    let places: ProgramPlaces | undefined;
    const end = await drive({
      request: order,
      scratch: this.#cli.scratch,
      program,
      signals: request,
      askPlace: (answerMs) => this.#cli.askPlace(answerMs),
      onEvent: (event) => {
        if (isServedAgain && changes(event)) this.#server ??= startProgramServer(this.#folder.root);
        collector.add(event);
        onEvent(event);
      },
    }).finally(() => {
      program?.stop();
      if (this.#host === undefined) host?.stop();
      places = facts.places(this.#folder.root);
      facts.remove();
      this.#state.forget();
    });
    const byUs = end.end === "gone" || end.end === "stuck";
    const lostLock = !byUs && end.lostLock;
    const cancelled = request.cancel?.aborted === true && end.end !== "gone";
    const succeeded =
      end.end === "succeeded" && !lostLock && !(cancelled && isCutShort(request.planned, collector.told));
    const isWhole = (request.targets ?? []).length === 0;
    // A run that the lock kept away has begun nothing, and only the holder of the lock writes to the ledger.
    const isKeptAway = end.end === "failed" && end.locked;
    if (byUs) this.#cli.expectNothing();
    else if (!lostLock && !isKeptAway && !changesNothing)
      await this.#endLedger(
        { writesLedger: [...collector.told.values()].some(writesLedger), isWhole, succeeded },
        onEvent,
      );
    if (succeeded && !changesNothing && isWhole) {
      const kept = await clearSettled(
        this.#cli,
        this.#folder.stack,
        () => this.#state.stored(),
        () => this.#ledger.read(),
      );
      this.#state.forget();
      if (kept !== undefined) onEvent(diagnostic("warning", kept));
    }
    const ofEnd =
      end.end === "failed" && !cancelled
        ? failuresOf({ ...end, holders: await this.#state.holders() }, collector, request)
        : byUs
          ? failuresWhenEnded(end, collector, shownAddress(this.#cli.home))
          : [];
    const failures = lostLock ? [...ofEnd, lostLockFailure] : ofEnd;
    const written = request.wantsPlan === true ? planIn(plan) : undefined;
    const isFound = isDue || request.refresh === true || pending.length > 0;
    const outputs = Object.entries(collector.stackOutputs).map(([name, value]) => [name, { value, secret: false }]);
    return {
      result: succeeded ? "succeeded" : cancelled ? "cancelled" : "failed",
      outputs: Object.fromEntries(outputs) as RunResult["outputs"],
      failures,
      pending,
      shared: sharedUrns(recorded),
      goesWith: goingWith(recorded),
      left: leftByRuns(recorded),
      places,
      plan: written,
      dependencies: (urn) => dependenciesIn(written, urn),
      unchanged:
        succeeded && changesNothing && !isFound && leavesAll(written, recorded.resources, retainedIn(collector)),
    };
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

  /** Tidies the ledger up. If that fails, the next run does it. */
  async #endLedger(run: Omit<RunEnds, "read">, onEvent: (event: EngineEvent) => void): Promise<void> {
    try {
      await this.#ledger.end({ ...run, read: () => this.#recorded() });
    } catch (error) {
      const message = `the ledger of this run's creations could not be tidied up: ${reasonOf(error)}`;
      onEvent(diagnostic("warning", message));
    }
  }
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
