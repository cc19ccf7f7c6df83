import {
  type EngineEvent,
  FileBackend,
  readProject,
  runOperation,
  StackConfig,
  stackSecrets,
} from "../../engine/index.ts";
import type { OperationRequest, OperationResult, TestEngine } from "./engine.ts";
import { passphrase, project, stack, type Sandbox } from "./sandbox.ts";

type Secrets = Awaited<ReturnType<typeof stackSecrets>>;

/** The embedded engine in this process, as the command line calls it. */
export class EmbeddedEngine implements TestEngine {
  readonly name = "embedded";
  /** The secrets by sandbox, because a key takes a million rounds of hashing. */
  readonly #secrets = new Map<string, Secrets>();

  async open(sandbox: Sandbox): Promise<void> {
    const { backend, secrets } = await this.#settings(sandbox);
    await backend.create({ project, stack }, secrets);
  }

  async attach(sandbox: Sandbox): Promise<void> {
    const { backend } = await this.#settings(sandbox);
    if (!(await backend.exists({ project, stack }))) throw new Error(`there is no stack in ${sandbox.backend}`);
  }

  async run({ sandbox, kind, options }: OperationRequest): Promise<OperationResult> {
    const events: EngineEvent[] = [];
    const { expectNoChanges, ...rest } = options;
    try {
      const { result, summary, failures } = await runOperation(
        {
          kind,
          project,
          stack,
          root: sandbox.work,
          program: { typescript: false },
          ...(await this.#settings(sandbox)),
          ...rest,
        },
        (event) => events.push(event),
      );
      const changed = Object.keys(summary).some((operation) => operation !== "same");
      const failed = result !== "succeeded" || (expectNoChanges === true && changed);
      const output = [...failures.map(({ message }) => message), ...messages(events)].join("\n");
      return { result: failed ? "failed" : "succeeded", events: events as OperationResult["events"], output };
    } catch (error) {
      return { result: "failed", events: events as OperationResult["events"], output: String(error) };
    }
  }

  close(): Promise<void> {
    this.#secrets.clear();
    return Promise.resolve();
  }

  async #settings(sandbox: Sandbox) {
    const settings = await readProject(sandbox.work);
    if (!settings) throw new Error(`there is no Pulumi.yaml in ${sandbox.work}`);
    const config = await StackConfig.read(settings, stack);
    const secrets =
      this.#secrets.get(sandbox.root) ?? (await stackSecrets(config, { PULUMI_CONFIG_PASSPHRASE: passphrase }));
    this.#secrets.set(sandbox.root, secrets);
    return { backend: await FileBackend.open(sandbox.backend), secrets, config: config.resolve(secrets) };
  }
}

function messages(events: EngineEvent[]): string[] {
  return events.flatMap(({ diagnosticEvent }) => (diagnosticEvent ? [diagnosticEvent.message] : []));
}
