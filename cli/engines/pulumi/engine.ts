/** Pulumi's own engine behind the interface of both. */
import { execFile, fork, type ChildProcess } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, relative } from "node:path";
import { promisify } from "node:util";
import type {
  EngineEvent,
  FileBackend,
  LockHolder,
  ProgramOptions,
  ResourceState,
  StoredDeployment,
} from "../../../engine/index.ts";
import { hostEnvironment } from "../../children/environment.ts";
import { writeFacts, type FactsFile } from "../../children/facts.ts";
import { CommandError, exitCodes, UsageError } from "../../exit/codes.ts";
import { ownModule } from "../../package.ts";
import type { StackFolder } from "../../project/open.ts";
import { readableSecrets } from "../../project/secrets.ts";
import { Collector } from "../../report/collect.ts";
import { openSecrets } from "../embedded.ts";
import { managerFor, secretTextsIn } from "../../project/secret-texts.ts";
import { openFileBackend, projectsWith, refOf, renamedHint } from "../backend.ts";
import { beginRecord } from "../creation-record.ts";
import type { FoundPulumi } from "./find.ts";
import type { ChildOrder, ChildReply, ChildRequest } from "./child.ts";
import { completed } from "./events.ts";
import { failuresOf } from "./failures.ts";
import { plannedSecrets } from "./plan.ts";
import { changedKeys } from "../changed-secrets.ts";
import type { Engine, RunRequest, RunResult, SecretKeys } from "../types.ts";
import { historyFacts, keyOf } from "../history-facts.ts";
import {
  factsOf,
  markedExport,
  readRecords,
  revealedExport,
  type StateResource,
  type RecordedState,
} from "../recorded.ts";

const LARGEST_EXPORT = 1024 ** 3;

const NOTHING_RECORDED: RecordedState = { manifest: { time: "" }, resources: [], pending: [] };

export class PulumiEngine implements Engine {
  readonly name = "pulumi";
  readonly version: string;
  readonly notes: string[] = [];
  readonly #found: FoundPulumi;
  readonly #folder: StackFolder;
  readonly #verbose: boolean;
  /** Undefined where the state is not in files. */
  readonly #backend: FileBackend | undefined;
  readonly #scratch = mkdtempSync(join(tmpdir(), "landform-"));

  private constructor(found: FoundPulumi, folder: StackFolder, backend: FileBackend | undefined, verbose: boolean) {
    this.#found = found;
    this.version = found.version;
    this.#folder = folder;
    this.#backend = backend;
    this.#verbose = verbose;
  }

  static async open(found: FoundPulumi, folder: StackFolder, { verbose = false } = {}): Promise<PulumiEngine> {
    const backend = await openFileBackend(folder, { loggedIn: true });
    const engine = new PulumiEngine(found, folder, backend, verbose);
    if (backend?.root === folder.root && !(await backend.exists(refOf(folder)))) {
      const [other] = await projectsWith(backend, refOf(folder));
      if (other !== undefined) engine.notes.push(renamedHint(other, folder.stack));
    }
    return engine;
  }

  /** Pulumi locks the stack for each operation by itself. */
  hold(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    rmSync(this.#scratch, { recursive: true, force: true });
    return Promise.resolve();
  }

  async resources(): Promise<readonly string[] | undefined> {
    return (await this.#stored())?.map(({ urn }) => urn);
  }

  async records(): Promise<readonly StateResource[] | undefined> {
    const secrets = this.#backend && (await readableSecrets(this.#folder));
    if (this.#backend && secrets) return readRecords(this.#backend, refOf(this.#folder), secrets);
    return this.#exported();
  }

  get stateFolder(): string | undefined {
    return this.#backend?.root;
  }

  async states(): Promise<readonly ResourceState[] | undefined> {
    const secrets = this.#backend && (await readableSecrets(this.#folder));
    const ref = refOf(this.#folder);
    if (this.#backend && secrets)
      return (await this.#backend.exists(ref)) ? (await this.#backend.read(ref, secrets)).resources : [];
    const exported = await this.#printed(["stack", "export", "--show-secrets"]);
    return exported === undefined ? undefined : markedExport(exported);
  }

  /** As Pulumi itself reads the state, wherever it is kept and whatever encrypts it. */
  async #exported(): Promise<readonly StateResource[] | undefined> {
    const exported = await this.#printed(["stack", "export", "--show-secrets"]);
    return exported === undefined ? undefined : revealedExport(exported);
  }

  /** The stack's configuration as Pulumi itself reads it, secrets in the clear. Undefined where it can't. */
  async configuration(): Promise<Readonly<Record<string, string>> | undefined> {
    const printed = await this.#printed(["config", "--json", "--show-secrets"]);
    if (printed === undefined) return undefined;
    const entries = Object.entries(JSON.parse(printed) as Record<string, { value?: string }>);
    return Object.fromEntries(entries.flatMap(([key, { value }]) => (value === undefined ? [] : [[key, value]])));
  }

  /** What a command of Pulumi prints about the stack. Undefined where it fails. */
  async #printed(command: readonly string[]): Promise<string | undefined> {
    const cwd = this.#folder.manifest === undefined ? this.#folder.root : this.#manifestProject();
    const args = [...command, "--non-interactive", "--stack", this.#folder.stack];
    const options = { cwd, env: { ...process.env, ...this.#environment() }, maxBuffer: LARGEST_EXPORT };
    const ended = await promisify(execFile)(this.#found.path, args, options).catch(() => undefined);
    return ended?.stdout;
  }

  async #stored(): Promise<StoredDeployment["resources"]> {
    const ref = refOf(this.#folder);
    if (this.#backend === undefined || !(await this.#backend.exists(ref))) return undefined;
    return (await this.#backend.readStored(ref)).resources ?? [];
  }

  async secretTexts(plan?: unknown): Promise<string[]> {
    const backend = this.#backend;
    if (backend === undefined) return [];
    const ref = refOf(this.#folder);
    if (!(await backend.exists(ref))) return [];
    const stored = await backend.readStored(ref);
    const secrets = await openSecrets(this.#folder, backend).catch(() => undefined);
    return secretTextsIn([stored.resources ?? [], plan], await managerFor(stored, secrets));
  }

  async changedSecrets(reviewed: unknown, now: unknown): Promise<SecretKeys | undefined> {
    const secrets = this.#backend && (await openSecrets(this.#folder, this.#backend).catch(() => undefined));
    if (secrets === undefined) return undefined;
    const [then, today] = [plannedSecrets(reviewed, secrets), plannedSecrets(now, secrets)];
    return then && today && changedKeys(then, today);
  }

  async run(request: RunRequest, onEvent: (event: EngineEvent) => void): Promise<RunResult> {
    const recorded = await this.#recorded();
    const pending = recorded.pending.map(({ resource, type }) => ({ urn: resource.urn, operation: type }));
    const changesNothing = request.kind === "preview" || request.dryRun === true;
    const record = this.#backend && beginRecord(this.#backend.root, this.#folder, recorded, changesNothing);
    const { foreignEdits, verify } = request;
    const known = { ...factsOf(recorded, request.targets), ...record, foreignEdits, verify, ...historyFacts(request) };
    const facts = writeFacts(known, keyOf(request));
    const plan = this.#planFile(request);
    const collector = new Collector();
    const order = this.#request(request, facts, plan);
    const reply = await this.#ask(order, request, (event) => {
      collector.add(event);
      onEvent(event);
    }).finally(() => facts.remove());
    const cancelled = request.cancel?.aborted === true;
    const ended = reply.end === "succeeded" || cancelled ? undefined : { ...reply, holders: await this.#holders() };
    const outputs = Object.entries(collector.stackOutputs).map(([name, value]) => [name, { value, secret: false }]);
    return {
      result: reply.end === "succeeded" ? "succeeded" : cancelled ? "cancelled" : "failed",
      outputs: Object.fromEntries(outputs) as RunResult["outputs"],
      failures: ended === undefined ? [] : failuresOf(ended, collector, request),
      pending,
      ...(request.wantsPlan === true && plan !== undefined && existsSync(plan)
        ? { plan: JSON.parse(readFileSync(plan, "utf8")) as unknown }
        : {}),
    };
  }

  async #holders(): Promise<readonly LockHolder[]> {
    return (await this.#backend?.holders(refOf(this.#folder))) ?? [];
  }

  async #recorded(): Promise<RecordedState> {
    const ref = refOf(this.#folder);
    if (this.#backend === undefined || !(await this.#backend.exists(ref))) return NOTHING_RECORDED;
    const { manifest, resources = [], pending_operations: pending = [] } = await this.#backend.readStored(ref);
    return { manifest, resources, pending };
  }

  #planFile({ expected, wantsPlan }: RunRequest): string | undefined {
    const file = join(this.#scratch, "plan.json");
    rmSync(file, { force: true });
    if (expected !== undefined) writeFileSync(file, JSON.stringify(expected), { mode: 0o600 });
    return expected !== undefined || wantsPlan === true ? file : undefined;
  }

  #request(run: RunRequest, facts: FactsFile, plan?: string): ChildRequest {
    const { kind, dryRun, parallel, targets, refresh, full, continueOnError } = run;
    const { manifest } = this.#folder;
    const program = run.program ?? this.#folder.program;
    const runsItself = this.#found.languageHost && manifest === undefined && run.program === undefined;
    const inline = runsItself ? undefined : this.#programFile(program);
    return {
      workDir: manifest === undefined ? this.#folder.root : this.#manifestProject(),
      stack: this.#folder.stack,
      env: {
        ...this.#environment(),
        ...program.env,
        ...hostEnvironment({ full, verbose: this.#verbose }),
        ...facts.env,
      },
      ...(inline === undefined ? {} : { inline }),
      run: { kind, dryRun, parallel, targets, refresh, continueOnError },
      ...(plan === undefined ? {} : { plan }),
    };
  }

  #environment(): Record<string, string> {
    const { PATH: path = "", PULUMI_CONFIG_PASSPHRASE: phrase, PULUMI_CONFIG_PASSPHRASE_FILE: file } = process.env;
    const plugins = this.#found.dynamicPlugin ? [] : [this.#writePlugin()];
    const empty = this.#backend !== undefined && phrase === undefined && file === undefined;
    return {
      PATH: [dirname(this.#found.path), ...plugins, path].join(delimiter),
      PULUMI_SKIP_UPDATE_CHECK: "true",
      PULUMI_AUTOMATION_API_SKIP_VERSION_CHECK: "true",
      ...(this.#backend === undefined ? {} : { PULUMI_BACKEND_URL: `file://${this.#backend.root}` }),
      ...(empty ? { PULUMI_CONFIG_PASSPHRASE: "" } : {}),
    };
  }

  /** The plugin of dynamic providers, which Pulumi's installation has beside its Node language host. */
  #writePlugin(): string {
    const script = createRequire(import.meta.url).resolve("@pulumi/pulumi/cmd/dynamic-provider/index.js");
    const file = join(this.#scratch, "plugins", "pulumi-resource-pulumi-nodejs");
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `#!/bin/sh\nexec '${process.execPath}' '${script}' "$@"\n`);
    chmodSync(file, 0o755);
    return dirname(file);
  }

  /** The file that stands for the folder or the file that Pulumi.yaml names as the program. */
  #programFile(program: ProgramOptions): string {
    const { root } = this.#folder;
    const entry = join(program.entry?.startsWith("/") === true ? "/" : root, program.entry ?? ".");
    if (!existsSync(entry)) throw new UsageError(`the program ${entry} does not exist; check \`main\` in Pulumi.yaml`);
    if (!statSync(entry).isDirectory()) return entry;
    const described = join(entry, "package.json");
    const main = existsSync(described)
      ? (JSON.parse(readFileSync(described, "utf8")) as { main?: string }).main
      : undefined;
    const names = [...(main === undefined ? [] : [main]), "index.ts", "index.js", "index.mjs", "index.cjs"];
    const found = names.map((name) => join(entry, name)).find((file) => existsSync(file));
    if (found === undefined) throw new UsageError(`there is no program in ${entry}: no ${names.join(", no ")}`);
    return found;
  }

  /** Pulumi wants a Pulumi.yaml, and a folder with a manifest has none. Settings of stacks stay beside the manifest. */
  #manifestProject(): string {
    const folder = join(this.#scratch, "project");
    mkdirSync(folder, { recursive: true });
    const { project, root } = this.#folder;
    const settings = { name: project.name, runtime: "nodejs", stackConfigDir: relative(folder, root) };
    writeFileSync(join(folder, "Pulumi.yaml"), JSON.stringify(settings));
    return folder;
  }

  #ask(request: ChildRequest, run: RunRequest, onEvent: (event: EngineEvent) => void): Promise<End> {
    const child = fork(ownModule("cli/engines/pulumi/child"), {
      env: { ...process.env, ...request.env },
      cwd: this.#folder.root,
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      // Ctrl-C goes to the group of the terminal: Pulumi is told by us instead.
      detached: true,
      execArgv: [],
    });
    const send = (order: ChildOrder) => child.connected && child.send(order);
    const onCancel = () => send({ cancel: true });
    const onTerminate = () => interruptGroup(child);
    run.cancel?.addEventListener("abort", onCancel);
    run.terminate?.addEventListener("abort", onTerminate);
    const ended = new Promise<End>((resolve, reject) => {
      let printed = "";
      for (const stream of [child.stdout, child.stderr])
        stream?.on("data", (data: Buffer) => (printed += String(data)));
      child.on("message", (reply: ChildReply) => ("event" in reply ? onEvent(completed(reply.event)) : resolve(reply)));
      child.once("exit", (code) => {
        const message = `the process that drives Pulumi ended with code ${code ?? "?"}\n${printed.trim()}`;
        reject(new CommandError(exitCodes.failed, message));
      });
      child.once("error", reject);
    });
    send({ request });
    return ended.finally(() => {
      run.cancel?.removeEventListener("abort", onCancel);
      run.terminate?.removeEventListener("abort", onTerminate);
    });
  }
}

type End = Extract<ChildReply, { end: string }>;

/** A second interruption: Pulumi then leaves at once. */
function interruptGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGINT");
  } catch {
    // It has ended by itself meanwhile.
  }
}
