/** Opens the parts of a session: the stack, its engine, the secrets to hide, and the creations that an earlier run could not save. */
import type { Collector } from "../report/collect.ts";
import { listed } from "../../provider/values/wording.ts";
import { existsSync, rmSync } from "node:fs";
import { EmbeddedEngine } from "../engines/embedded.ts";
import { beginSecrets } from "../engines/place.ts";
import { INSTALL_HINT, isAtLeast, lookForPulumi, OLDEST, type FoundPulumi } from "../engines/pulumi/cli.ts";
import type { Engine, EngineOptions } from "../engines/contract.ts";
import type { Verb } from "../report/model.ts";
import type { EngineChoice, OperationOptions } from "../options.ts";
import { checkAccess } from "../settings/settings.ts";
import { openStack, type StackFolder } from "../project/open.ts";
import { secretsOf } from "../settings/secrets.ts";
import { Redactor } from "../report/redact.ts";
import { refuseUnmeant, requireStack, withStacks } from "../stacks/stacks.ts";
import { type Entry, isLeft } from "../../provider/ledger/ledger.ts";
import type { StackLedger } from "../engines/ledger.ts";
import { UsageError, RefusedError } from "../exit/codes.ts";

export interface Opening extends Pick<EngineOptions, "spares" | "runsProgram"> {
  /**
   * Makes the stack if there is none. Without it, the command refuses and leaves nothing behind. A failed plan, a look, or a command that
   * ended before any run leaves no stack behind, either.
   */
  makesStack?: boolean | "for a plan" | "for a look";
  /** True if nobody checks the name of a stack that is made. */
  unattended?: boolean;
  /** The program will run, too; `runsProgram`: at once. */
  runs?: boolean;
  /** The folder of the stack's settings, if it is not the project's. */
  configFolder?: string;
  /** The reader's own choices, if the options are somebody else's. */
  typed?: object;
}

export interface Opened {
  readonly folder: StackFolder;
  readonly engine: Engine;
  readonly redactor: Redactor;
  readonly unsaved: Unsaved;
  /** Removes the stack and the settings that were made for this command. */
  readonly forgetNew: () => Promise<void>;
}

export async function openAll(
  options: OperationOptions,
  { makesStack = false, unattended = false, runs = true, runsProgram, spares, configFolder }: Opening,
): Promise<Opened> {
  // Pulumi is asked for its version while the project is read.
  if (options.engine !== "embedded") void lookForPulumi().catch(() => undefined);
  await beginSecrets(options.C, options.stack);
  const folder = await openStack(options.C, options.stack, { configFolder, runs });
  checkAccess(folder);
  if (makesStack === false)
    await withStacks(options.engine, folder, (stacks) => requireStack(stacks, folder, options.stack));
  const hadSettings = existsSync(folder.config.file);
  if (unattended) await refuseUnmeant(options.engine, folder);
  const engine = await openEngine(options.engine, folder, {
    verbose: options.verbose === true,
    spares,
    runsProgram,
  });
  const [own, inState, ledger] = await Promise.all([secretsOf(folder), engine.secretTexts(), engine.ledger()]);
  const redactor = new Redactor([...own, ...inState]);
  const forgetNew = async (): Promise<void> => {
    await engine.forgetNew();
    if (makesStack !== false && !hadSettings) rmSync(folder.config.file, { force: true });
  };
  return { folder, engine, redactor, unsaved: new Unsaved(ledger), forgetNew };
}

async function openEngine(choice: EngineChoice, folder: StackFolder, options: EngineOptions): Promise<Engine> {
  if (choice === "embedded") return EmbeddedEngine.open(folder, options);
  const { found, silent } = await lookForPulumi();
  if (found !== undefined && isAtLeast(found.version, OLDEST)) {
    const { PulumiEngine } = await import("../engines/pulumi/engine.ts");
    return PulumiEngine.open(found, folder, options);
  }
  const why = reasonAgainst(found, silent);
  if (choice === "pulumi") {
    throw new UsageError(`Pulumi ${why}. Install it with ${INSTALL_HINT}, or run with --engine embedded`);
  }
  const engine = await EmbeddedEngine.open(folder, options);
  if (found !== undefined || silent.length > 0) engine.notes.push(`the embedded engine runs: Pulumi ${why}`);
  return engine;
}

function reasonAgainst(found: FoundPulumi | undefined, silent: readonly string[]): string {
  if (found !== undefined) return `${found.version} at ${found.path} is older than ${OLDEST}`;
  const [path] = silent;
  if (path !== undefined) return `at ${path} does not tell its version: \`${path} version\` fails`;
  return "is not found on PATH or in ~/.pulumi";
}

/** The mark tells no more: a preview may look while the run that made it still works. */
const UNSAVED = "the last run has not saved the state (it was killed, or is still under way)";

export class Unsaved {
  /** Undefined if every run has saved the state. */
  readonly #made: readonly Entry[] | undefined;

  constructor({ run, entries }: Pick<StackLedger, "run" | "entries">) {
    this.#made = run === "unsaved" ? entries.filter((one) => !isLeft(one)) : undefined;
  }

  get isSo(): boolean {
    return this.#made !== undefined;
  }

  get note(): string | undefined {
    if (this.#made === undefined) return undefined;
    const made = this.#made.length;
    if (made === 0)
      return `${UNSAVED}: Landform plans its changes and deletions again, which does no harm. Values that are as the code says count as its own.`;
    return `${UNSAVED}. The ledger knows objects that it was creating (${made}): the next up takes them in.`;
  }

  /** Refuses objects that only an up brings into the state. A destroy would leave them behind, and an undo couldn't see them. */
  refuse(command: Verb): void {
    const made = this.#made ?? [];
    if ((command !== "destroy" && command !== "undo") || made.length === 0) return;
    throw new UsageError(
      `${UNSAVED}, and no state has objects that it was creating: ${listed(made.map(({ kind, name }) => `${kind} "${name}"`))}. Run up first, which takes them in. Nothing was sent`,
      { advice: [{ command: "up", arguments: [], reason: "takes them in." }] },
    );
  }
}

/** Refuses a run that is no preview of its environment: it would adopt the base's objects, and delete the environment's own. */
export function refuseOtherPreview({ leavesPreview, failed }: Collector, stack: string): void {
  if (!leavesPreview && !failed.some(({ code }) => code === "preview-stack")) return;
  const ofBranch = stack.startsWith("br-") ? ["--branch", "NAME"] : [];
  throw new RefusedError(`${stack} is a preview environment, and this is no preview of it. Nothing was sent.`, {
    advice: [
      { command: "env up", arguments: ofBranch, reason: "brings it up to date." },
      { command: "env down", arguments: [stack], reason: "takes it away." },
    ],
  });
}
