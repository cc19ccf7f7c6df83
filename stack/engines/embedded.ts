/** The embedded engine behind the interface of both engines. */
import { version } from "../project/package.ts";
import { managerFor, secretTextsIn } from "./secret-texts.ts";
import type { RunResult } from "../report/run-result.ts";
import { dirname } from "node:path";
import {
  type DirectProgram,
  type EngineEvent,
  expectLightProcess,
  expectProgram,
  FileBackend,
  passphraseFromEnvironment,
  type PassphraseSecrets,
  type Plan,
  type ProgramOptions,
  plannedSecrets,
  type ResourceState,
  runOperation,
  Spares,
  StackExistsError,
  type StackLock,
} from "../../engine/index.ts";
import {
  goneLockNote,
  leftInFolder,
  newStackNote,
  openBackend,
  openSecrets,
  projectsWith,
  refOf,
  renamedHint,
} from "./place.ts";
import type { RunFacts } from "../../provider/pulumi/run-facts.ts";
import { ENTRY_POINT } from "../../provider/pulumi/registered.ts";
import { childHook, hostEnvironment, nodePath, tellChildren } from "./children.ts";
import { UsageError } from "../exit/codes.ts";
import type { StackFolder } from "../project/open.ts";
import { declaredProgram } from "./declared/program.ts";
import {
  changedKeys,
  changes,
  type Engine,
  type EngineOptions,
  resultOf,
  type RunRequest,
  type SecretKeys,
} from "./contract.ts";
import { FolderLedger, looksFirst, openLedger, type StackLedger } from "./ledger.ts";
import { creationsIn, recordsIn, type RecordedState, type StateResource, toldByState } from "./recorded.ts";

const EMPTY_PASSPHRASE =
  'The passphrase of this stack is empty, because none is set. To choose one, set PULUMI_CONFIG_PASSPHRASE before the first run. To use this stack with Pulumi, set PULUMI_CONFIG_PASSPHRASE="".';

export interface EmbeddedOptions extends EngineOptions {
  /** A folder that replaces the one of the project or the environment. */
  backend?: string;
  /** Further variables for the program and for the provider. */
  env?: Readonly<Record<string, string>>;
}

type Recorded = Awaited<ReturnType<FileBackend["read"]>>;

interface Opened {
  readonly backend: FileBackend;
  readonly secrets: PassphraseSecrets;
  readonly spares: Spares;
}

export class EmbeddedEngine implements Engine {
  readonly name = "embedded";
  readonly version = version;
  readonly notes: string[] = [];
  readonly secrets: PassphraseSecrets;
  readonly stateFolder: string;
  readonly #folder: StackFolder;
  readonly #backend: FileBackend;
  readonly #options: EmbeddedOptions;
  readonly #spares: Spares;
  readonly #ledger: FolderLedger;
  #lock: StackLock | undefined;
  #isNew = false;
  /** Read once between two runs. Undefined inside means that there is no stack. */
  #state: Promise<Recorded | undefined> | undefined;

  private constructor(folder: StackFolder, { backend, secrets, spares }: Opened, options: EmbeddedOptions) {
    this.#folder = folder;
    this.#backend = backend;
    this.secrets = secrets;
    this.stateFolder = backend.root;
    this.#spares = spares;
    this.#ledger = new FolderLedger(backend.root, refOf(folder));
    this.#options = options;
  }

  /** Makes the stack if there is none yet. */
  static async open(folder: StackFolder, options: EmbeddedOptions = {}): Promise<EmbeddedEngine> {
    const { runtime, file } = folder.project;
    if (runtime.name !== "nodejs") {
      throw new UsageError(
        `${file ?? "the project"} has the runtime ${runtime.name}; the embedded engine runs nodejs only. Install Pulumi, or run with --engine pulumi`,
      );
    }
    const spares = options.spares ?? new Spares();
    try {
      const backend =
        options.backend === undefined ? await openBackend(folder) : await FileBackend.open(options.backend);
      const [secrets] = await Promise.all([
        openSecrets(folder, backend, { ...process.env, ...options.env }),
        options.runsProgram === true && expectProcess(folder, options, spares),
      ]);
      const engine = new EmbeddedEngine(folder, { backend, secrets, spares }, options);
      if (!(await backend.exists(refOf(folder)))) await engine.#createStack();
      return engine;
    } catch (error) {
      spares.close();
      throw error;
    }
  }

  async #createStack(): Promise<void> {
    const ref = refOf(this.#folder);
    // A shared folder holds many projects, and says nothing about this one.
    const own = this.#backend.root === this.#folder.root;
    const [other] = own ? await projectsWith(this.#backend, ref) : [];
    try {
      await this.#backend.create(ref, this.secrets);
      this.#isNew = true;
    } catch (error) {
      // Another run of the same stack was faster. The lock decides which of them goes on.
      if (error instanceof StackExistsError) return;
      throw error;
    }
    if (other !== undefined) this.notes.push(renamedHint(other, ref.stack));
    this.notes.push(newStackNote(this.#backend, ref));
    const left = own ? undefined : await leftInFolder(this.#folder, this.#backend.root);
    if (left !== undefined) this.notes.push(left);
    if ((await passphraseFromEnvironment(process.env)) === undefined) this.notes.push(EMPTY_PASSPHRASE);
  }

  async secretTexts(): Promise<string[]> {
    const stored = await this.#backend.readStored(refOf(this.#folder));
    return secretTextsIn(stored.resources ?? [], await managerFor(stored, this.secrets));
  }

  changedSecrets(reviewed: unknown, now: unknown): Promise<SecretKeys> {
    return Promise.resolve(changedKeys(plannedSecrets(reviewed as Plan), plannedSecrets(now as Plan)));
  }

  async forgetNew(): Promise<void> {
    if (!this.#isNew) return;
    const lock = this.#lock ?? (await this.#backend.lock(refOf(this.#folder)));
    try {
      if ((await this.#pending()).length === 0) await this.#backend.remove(lock, { withoutBackup: true });
    } finally {
      if (lock !== this.#lock) await lock.release();
    }
  }

  async hold(): Promise<void> {
    this.#lock = await this.#backend.lock(refOf(this.#folder));
    // Another run may have ended just before.
    this.#state = undefined;
    this.notes.push(...this.#lock.takenOver.map(goneLockNote));
  }

  async close(): Promise<void> {
    if (this.#options.spares === undefined) this.#spares.close();
    await this.#lock?.release();
    this.#lock = undefined;
  }

  async resources(): Promise<readonly string[]> {
    const { resources = [] } = await this.#backend.readStored(refOf(this.#folder));
    return resources.map(({ urn }) => urn);
  }

  async records(): Promise<readonly StateResource[]> {
    return recordsIn(await this.states());
  }

  #read(): Promise<Recorded | undefined> {
    return (this.#state ??= this.#load());
  }

  async #load(): Promise<Recorded | undefined> {
    const ref = refOf(this.#folder);
    try {
      return (await this.#backend.exists(ref)) ? await this.#backend.read(ref, this.secrets) : undefined;
    } catch (error) {
      this.#state = undefined;
      throw error;
    }
  }

  async underWay(): Promise<readonly StateResource[]> {
    return creationsIn(await this.#pending());
  }

  async looksFirstAt(): Promise<readonly string[]> {
    const pending = await this.#pending();
    if (pending.length > 0) return pending.map(({ resource }) => resource.urn);
    const { run } = await this.#ledger.read();
    return run === "aside" ? (await this.states()).map(({ urn }) => urn) : [];
  }

  async #pending(): Promise<RecordedState["pending"]> {
    return (await this.#read())?.pendingOperations ?? [];
  }

  ledger(): Promise<StackLedger> {
    const ref = refOf(this.#folder);
    return openLedger(this.#ledger, async () => {
      if (!(await this.#backend.exists(ref))) return { resources: [], pending: [] };
      const { resources, pendingOperations } = await this.#backend.read(ref, this.secrets);
      return { resources, pending: pendingOperations };
    });
  }

  async states(): Promise<readonly ResourceState[]> {
    return (await this.#read())?.resources ?? [];
  }

  async run(request: RunRequest, onEvent: (event: EngineEvent) => void): Promise<RunResult> {
    const { root, project, config, stack } = this.#folder;
    const { verbose, env } = this.#options;
    const { kind, dryRun, parallel, targets = [], refresh, full, continueOnError, cancel, terminate } = request;
    const { program: own, preview } = request;
    const runs = own ?? this.#folder.program;
    const read = () => this.#backend.read(refOf(this.#folder), this.secrets);
    const { manifest, resources, pendingOperations: pending } = (await this.#read()) ?? (await read());
    const recorded = { manifest, resources, pending };
    const told = toldByState(recorded);
    const changesNothing = kind === "preview" || dryRun === true;
    const forget = (): void => {
      if (!changesNothing) this.#state = undefined;
    };
    forget();
    const isDue = looksFirst(request, recorded, await this.#ledger.read());
    const ledger = await this.#ledger.begin(recorded, { changesNothing, savesAtEnd: false });
    const goesOn = request.goesOn ?? (isDue || undefined);
    const facts = tellChildren(request, recorded, { ...ledger, goesOn });
    try {
      const resolved = config.resolve(this.secrets);
      const program = started(runs, { ...runs.env, ...facts.env, ...env }, preview !== undefined);
      // The SDK's classes make a preview's changes.
      const isDirect = own === undefined && preview === undefined;
      const result = await runOperation(
        {
          ...{ kind, dryRun, parallel, refresh: isDue || refresh, continueOnError, cancel, terminate, stack, root },
          ...{ backend: this.#backend, secrets: this.secrets, lock: this.#lock, spares: this.#spares },
          targets: targets.length > 0 ? targets : undefined,
          project: project.name,
          program: { ...program, direct: isDirect ? this.#direct(program.env, resolved, facts.steady) : undefined },
          config: resolved,
          configRecord: config.record(),
          hostEnv: { ...hostEnvironment({ full, verbose }), ...facts.env, ...env },
          providerModules: [ENTRY_POINT],
          expectedPlan: request.expected as Plan | undefined,
        },
        (event) => {
          if (kind === "preview" && changes(event)) this.#spares.expectSecond();
          onEvent(event);
        },
      );
      const places = facts.places(root);
      if (!changesNothing) {
        const [isWhole, succeeded] = [targets.length === 0, result.result === "succeeded"];
        await this.#ledger.end({ read, writesLedger: true, isWhole, succeeded });
      }
      return { ...resultOf(result, request.wantsPlan === true), ...told, places };
    } finally {
      facts.remove();
      forget();
    }
  }

  /** A landform.yaml needs no process. */
  #direct(
    env: NodeJS.ProcessEnv,
    config: ReturnType<StackFolder["config"]["resolve"]>,
    steady: RunFacts["steady"],
  ): DirectProgram | undefined {
    const { manifest, warnings = [], project, stack } = this.#folder;
    const around = { env: { ...process.env, ...env }, project: project.name, stack, config, steady, warnings };
    return manifest && declaredProgram(manifest, around);
  }
}

/** Starts the first process that a run needs, with the settings that every run shares. The process gets the rest when the run begins. */
function expectProcess(folder: StackFolder, { env }: EmbeddedOptions, spares: Spares): Promise<void> {
  const { root, program, project, manifest } = folder;
  const run = started(program, { ...program.env, ...env });
  if (manifest === undefined) return expectProgram({ root, program: run, spares });
  const hostEnv = { ...process.env, ...run.env, ...hostEnvironment({}), ...env };
  expectLightProcess({ cwd: dirname(run.entry ?? root), env: hostEnv, project: project.name, spares }, [ENTRY_POINT]);
  return Promise.resolve();
}

function started(program: ProgramOptions, env: NodeJS.ProcessEnv, isPreview = false) {
  const whole = { NODE_PATH: nodePath(process.env), ...env };
  // Modules that Node's own arguments load read the environment before the program does.
  const ahead = (program.nodeArgs ?? []).length === 0;
  const nodeArgs = [...(program.nodeArgs ?? []), ...childHook()];
  // The program of a preview has to load the provider once its run is known (provider/pulumi/preview.ts).
  const preload = isPreview ? ["@pulumi/pulumi"] : ["@pulumi/pulumi", "landform"];
  return { ...program, nodeArgs, env: whole, preload: ahead ? preload : undefined };
}
