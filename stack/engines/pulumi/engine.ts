/** Pulumi's own engine behind the interface of both engines. */
import { reasonOf } from "../../../provider/values/wording.ts";
import { type EngineEvent, provePassphrase, type ResourceState } from "../../../engine/index.ts";
import { type Kept, NOTHING_KEPT } from "../../../provider/ledger/entry.ts";
import type { RunFacts } from "../../../provider/pulumi/run-facts.ts";
import { tellChildren } from "../children.ts";
import type { StackFolder } from "../../project/open.ts";
import { Collector } from "../../report/collect.ts";
import type { Told } from "../../report/steps.ts";
import {
  goneLockNote,
  leftInFolder,
  newStackNote,
  projectsWith,
  refOf,
  renamedHint,
  shownAddress,
  stateHome,
  takesTags,
} from "../place.ts";
import { FolderLedger, ledgerFrom, stateOfCreations, type StackLedger } from "../ledger.ts";
import { type FoundPulumi, PulumiCli, PulumiCliError } from "./cli.ts";
import {
  isCutShort,
  LOOKS_FIRST,
  looksFirst,
  needsNoSaving,
  savedAtEndText,
  savesAtEnd,
  SKIP_VARIABLE,
} from "./interrupted.ts";
import { failuresOf, failuresWhenEnded, lostLockFailure } from "./failures.ts";
import { orderFor } from "./order.ts";
import { leavesAll, planFile, planIn, plannedSecrets } from "./plan-file.ts";
import { drive } from "./process.ts";
import { clearSettled, PulumiState, updatesSince } from "./state.ts";
import { StackTags } from "./stack-tags.ts";
import {
  changedKeys,
  type Engine,
  type RunRequest,
  type RunResult,
  type SecretKeys,
  type Update,
} from "../contract.ts";
import { creationsIn, goingWith, recordsIn, type RecordedState, sharedUrns, type StateResource } from "../recorded.ts";

const NOTHING_RECORDED: RecordedState = { manifest: { time: "" }, resources: [], pending: [] };

export class PulumiEngine implements Engine {
  readonly name = "pulumi";
  readonly version: string;
  readonly notes: string[] = [];
  readonly #folder: StackFolder;
  readonly #verbose: boolean;
  readonly #cli: PulumiCli;
  readonly #state: PulumiState;
  /** True if the stack existed at the first look at the state. */
  #wasThere: boolean | undefined;

  private constructor(cli: PulumiCli, folder: StackFolder, verbose: boolean) {
    this.version = cli.found.version;
    this.#cli = cli;
    this.#state = new PulumiState(cli, folder);
    this.#folder = folder;
    this.#verbose = verbose;
  }

  static async open(found: FoundPulumi, folder: StackFolder, { verbose = false } = {}): Promise<PulumiEngine> {
    const home = await stateHome(folder);
    const engine = new PulumiEngine(new PulumiCli(found, folder, home), folder, verbose);
    const { files } = home;
    await provePassphrase(folder.config, process.env, async () => (await engine.#state.stored())?.secrets_providers);
    await files?.forgetTornAttributes(refOf(folder));
    if (files !== undefined && !(await files.exists(refOf(folder)))) {
      const [other] = files.root === folder.root ? await projectsWith(files, refOf(folder)) : [];
      if (other !== undefined) engine.notes.push(renamedHint(other, folder.stack));
      engine.notes.push(newStackNote(files, refOf(folder)));
    }
    if (files?.root !== folder.root) {
      const left = await leftInFolder(folder, shownAddress(home));
      if (left !== undefined && (await engine.#state.stored()) === undefined) engine.notes.push(left);
    }
    return engine;
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

  async ledger(): Promise<StackLedger> {
    if (this.#besideState !== undefined) return this.#besideState.open(() => this.#recorded());
    const recorded = await this.#recorded();
    if (takesTags(this.#cli.home)) return new StackTags(this.#cli, this.#folder).open(recorded);
    return ledgerFrom(NOTHING_KEPT, recorded, () => Promise.resolve());
  }

  /** Returns the ledger as its store has it, whatever the state says. */
  async #kept(): Promise<Kept> {
    if (this.#besideState !== undefined) return this.#besideState.kept;
    return takesTags(this.#cli.home) ? new StackTags(this.#cli, this.#folder).kept() : NOTHING_KEPT;
  }

  get #besideState(): FolderLedger | undefined {
    const { files } = this.#cli.home;
    return files && new FolderLedger(files.root, refOf(this.#folder));
  }

  async looksFirstAt(): Promise<readonly string[]> {
    const recorded = await this.#recorded();
    const isDue = looksFirst({ kind: "up" }, recorded, this.#besideState?.isUnsaved === true);
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
    const isDue = looksFirst(given, recorded, this.#besideState?.isUnsaved === true);
    if (isDue) onEvent(diagnostic("info", LOOKS_FIRST));
    const request = isDue ? { ...given, refresh: true as const } : given;
    const pending = recorded.pending.map(({ resource, type }) => ({ urn: resource.urn, operation: type }));
    const changesNothing = request.kind === "preview" || request.dryRun === true;
    const ledger = await this.#beginLedger(recorded, changesNothing);
    const saved = await this.#savingAtEnd(request, onEvent);
    const savesAtEnd = saved && { savesAtEnd: true as const };
    const facts = tellChildren(request, recorded, { ...ledger, ...savesAtEnd, stateFolder: this.stateFolder });
    const plan = planFile(this.#cli.scratch, request, recorded.resources);
    const collector = new Collector();
    const isThere = recorded !== NOTHING_RECORDED;
    const order = orderFor(this.#cli, this.#folder, request, { isThere, facts, plan, verbose: this.#verbose });
    if (saved || needsNoSaving(request, process.env)) order.env[SKIP_VARIABLE] = "true";
    const end = await drive({
      request: order,
      cwd: this.#folder.root,
      signals: request,
      askPlace: (answerMs) => this.#cli.askPlace(answerMs),
      onEvent: (event) => {
        collector.add(event);
        onEvent(event);
      },
    }).finally(() => facts.remove());
    const byUs = end.end === "gone" || end.end === "stuck";
    const lostLock = !byUs && end.lostLock;
    if (byUs) this.#cli.expectNothing();
    // Only the holder of the lock writes to the ledger.
    else if (!lostLock && !changesNothing) await this.#endLedger(collector, ledger, onEvent);
    // A run that the lock kept away has begun nothing.
    const isKeptAway = end.end === "failed" && end.locked;
    if (saved && (isKeptAway || (await this.#savedAt()) !== saved.before)) saved.done();
    const cancelled = request.cancel?.aborted === true && end.end !== "gone";
    const succeeded =
      end.end === "succeeded" && !lostLock && !(cancelled && isCutShort(request.planned, collector.told));
    if (succeeded && !changesNothing && (request.targets ?? []).length === 0) {
      this.#besideState?.endUnsaved();
      const kept = await clearSettled(
        this.#cli,
        this.#folder.stack,
        () => this.#state.stored(),
        () => this.#kept(),
      );
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
      ...(written !== undefined && { plan: written }),
      unchanged: succeeded && changesNothing && !isFound && leavesAll(written, recorded.resources),
    };
  }

  /** Returns undefined if each step is saved. */
  async #savingAtEnd(
    request: RunRequest,
    onEvent: (event: EngineEvent) => void,
  ): Promise<{ done: () => void; before: string } | undefined> {
    const { files } = this.#cli.home;
    const around = { version: this.version, inFolder: files !== undefined, env: process.env };
    if (files === undefined || !savesAtEnd(request, around)) return undefined;
    const ledger = new FolderLedger(files.root, refOf(this.#folder));
    const before = await this.#savedAt();
    ledger.mark("unsaved");
    onEvent(diagnostic("info", savedAtEndText(request.planned?.length ?? 0)));
    return { done: () => ledger.mark("ended"), before };
  }

  /** Returns the time of the last save, or an empty text for a stack that was never deployed to. */
  async #savedAt(): Promise<string> {
    const { magic = "", time = "" } = (await this.#state.stored())?.manifest ?? {};
    return magic === "" ? "" : time;
  }

  async #recorded(): Promise<RecordedState> {
    const stored = await this.#state.stored();
    this.#wasThere ??= stored !== undefined;
    if (stored === undefined) return NOTHING_RECORDED;
    const { manifest, resources = [], pending_operations: pending = [] } = stored;
    return { manifest, resources, pending };
  }

  async #beginLedger(recorded: RecordedState, changesNothing: boolean): Promise<LedgerFacts> {
    const beside = this.#besideState;
    if (beside !== undefined) return beside.begin(recorded, changesNothing);
    if (changesNothing) return {};
    if (!takesTags(this.#cli.home)) return { pending: stateOfCreations(recorded).pending };
    if (recorded === NOTHING_RECORDED) await this.#makeStack();
    return new StackTags(this.#cli, this.#folder).begin(recorded);
  }

  /** Makes the stack, because tags need it and the run itself would make it only later. Somebody else may be faster. */
  async #makeStack(): Promise<void> {
    try {
      await this.#cli.ask("stack", "init", this.#folder.stack, "--no-select");
    } catch (error) {
      if (!(error instanceof PulumiCliError) || !error.isThere) throw error;
    }
  }

  /** Tidies the ledger up if something was created. If that fails, the next run does it. */
  async #endLedger({ told }: Collector, { tags }: LedgerFacts, onEvent: (event: EngineEvent) => void): Promise<void> {
    const read = (): Promise<RecordedState> => this.#recorded();
    if (tags === undefined) return this.#besideState?.end(read);
    if (![...told.values()].some(creates)) return;
    try {
      await new StackTags(this.#cli, this.#folder).end(await read());
    } catch (error) {
      const message = `the ledger of this run's creations could not be tidied up: ${reasonOf(error)}`;
      onEvent(diagnostic("warning", message));
    }
  }
}

type LedgerFacts = Pick<RunFacts, "ledger" | "isNewLedger" | "tags" | "pending">;

function creates({ steps }: Told): boolean {
  return [...steps.keys()].some((op) => op.startsWith("create"));
}

function diagnostic(severity: "info" | "warning", message: string): EngineEvent {
  const now = Math.floor(Date.now() / 1000);
  return { sequence: 0, timestamp: now, diagnosticEvent: { message, color: "never", severity } };
}
