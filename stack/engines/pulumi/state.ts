/** The state and the updates of a stack for Pulumi's engine. Landform reads them from the stack's folder, or asks Pulumi if they are elsewhere. */
import { managerFor, secretTextsIn } from "../secret-texts.ts";
import { reasonOf } from "../../../provider/values/wording.ts";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import {
  type ExportedStack,
  type LockHolder,
  type ResourceState,
  type SecretsManager,
  stackSecrets,
  type StoredDeployment,
  UnsupportedSecretsError,
} from "../../../engine/index.ts";
import { definitionOf } from "../../../provider/kinds/registry.ts";
import type { StackFolder } from "../../project/open.ts";
import type { Update } from "../contract.ts";
import type { LedgerPlace } from "../ledger.ts";
import { openSecrets, refOf } from "../place.ts";
import { markedResources } from "../recorded.ts";
import { type PulumiCli, PulumiCliError } from "./cli.ts";

/** Landform asks Pulumi for the state, unless it is in a folder whose passphrase is known here. */
export class PulumiState {
  readonly #cli: PulumiCli;
  readonly #folder: StackFolder;
  /** The answers of Pulumi between two runs, since each is a process. */
  readonly #exports = new Map<string, Promise<ExportedStack | undefined>>();

  constructor(cli: PulumiCli, folder: StackFolder) {
    this.#cli = cli;
    this.#folder = folder;
  }

  /** The stored state, secrets encrypted. Undefined if there is no such stack. */
  async stored(): Promise<StoredDeployment | undefined> {
    const { files } = this.#cli.home;
    const ref = refOf(this.#folder);
    if (files === undefined) return (await this.#export())?.deployment;
    return (await files.exists(ref)) ? files.readStored(ref) : undefined;
  }

  /** The resources, secrets in the clear and marked. Undefined if there is no such stack. */
  async states(): Promise<readonly ResourceState[] | undefined> {
    const { files } = this.#cli.home;
    const ref = refOf(this.#folder);
    const secrets = files && (await openSecrets(this.#folder, files).catch(unlessUnsupported));
    if (files !== undefined && secrets !== undefined)
      return (await files.exists(ref)) ? (await files.read(ref, secrets)).resources : [];
    const exported = await this.#export("--show-secrets");
    return exported && markedResources(exported);
  }

  /** Undefined if no passphrase that is known here encrypts them. */
  async secrets(): Promise<SecretsManager | undefined> {
    const { files } = this.#cli.home;
    const { config } = this.#folder;
    if (files !== undefined) return openSecrets(this.#folder, files).catch(() => undefined);
    return config.encryptionSalt === undefined ? undefined : stackSecrets(config, process.env).catch(() => undefined);
  }

  async secretTexts(plan: unknown): Promise<string[]> {
    const isInFolder = this.#cli.home.files !== undefined;
    const [state, secrets] = await Promise.all([
      isInFolder ? this.stored() : this.#export("--show-secrets").then((exported) => exported?.deployment),
      this.secrets(),
    ]);
    if (isInFolder && state === undefined) return [];
    return secretTextsIn([state?.resources ?? [], plan], isInFolder ? await managerFor(state, secrets) : secrets);
  }

  /** The present holders of the lock; none where only Pulumi's own message tells them. */
  async holders(): Promise<readonly LockHolder[]> {
    return (await this.#cli.home.files?.holders(refOf(this.#folder))) ?? [];
  }

  forget(): void {
    this.#exports.clear();
  }

  #export(...flags: string[]): Promise<ExportedStack | undefined> {
    const key = flags.join(" ");
    const known = this.#exports.get(key) ?? this.#ask(flags);
    this.#exports.set(key, known);
    return known;
  }

  async #ask(flags: readonly string[]): Promise<ExportedStack | undefined> {
    try {
      return JSON.parse(
        await this.#cli.ask("stack", "export", "--stack", this.#folder.stack, ...flags),
      ) as ExportedStack;
    } catch (error) {
      if (error instanceof PulumiCliError && error.noStack) return undefined;
      throw error;
    }
  }
}

function unlessUnsupported(error: unknown): undefined {
  if (!(error instanceof UnsupportedSecretsError)) throw error;
}

// Clears the notes of creations that a killed run began. Pulumi keeps such a note until somebody refreshes, and each run would look into it
// and tell of it again. Importing a state drops its notes.

/** Tells if every note is a creation that the state has by now, or that a whole ledger would know if it was begun. */
function areSettled({ resources = [], pending_operations: pending = [] }: StoredDeployment, isWhole: boolean): boolean {
  const standing = new Set(resources.flatMap(({ urn, id, delete: goes }) => (id !== undefined && !goes ? [urn] : [])));
  return pending.every(
    ({ type, resource }) =>
      type === "creating" && (standing.has(resource.urn) || (isWhole && definitionOf(resource.type) !== undefined)),
  );
}

/** Does what `pulumi refresh --clear-pending-creates` does, without the refresh. Returns the reason if it fails. */
export async function clearSettled(
  cli: PulumiCli,
  stack: string,
  state: PulumiState,
  ledger: LedgerPlace,
): Promise<string | undefined> {
  const file = join(cli.scratch, "settled.json");
  try {
    const stored = await state.stored();
    if (!stored?.pending_operations?.length || !areSettled(stored, (await ledger.read()).isWhole)) return undefined;
    writeFileSync(file, await cli.ask("stack", "export", "--stack", stack), { mode: 0o600 });
    await cli.ask("stack", "import", "--stack", stack, "--file", file);
    return undefined;
  } catch (error) {
    return `Landform could not clear Pulumi's notes of an interrupted run: ${reasonOf(error)}`;
  }
}

const PAGE = 100;
const MESSAGE = /^ci apply of ([0-9a-f]{40,64})$/;

const format = z.array(
  z.object({
    kind: z.string(),
    startTime: z.string(),
    message: z.string().optional(),
    result: z.string(),
    resourceChanges: z.record(z.string(), z.number()).nullish(),
  }),
);

type Entry = z.output<typeof format>[number];

export async function updatesSince(cli: PulumiCli, stack: string, since: Date): Promise<Update[]> {
  const found: Entry[] = [];
  for (let page = 1; ; page++) {
    const entries = await pageOf(cli, stack, page);
    found.push(...entries);
    const oldest = entries.at(-1);
    if (entries.length < PAGE || oldest === undefined || Date.parse(oldest.startTime) < since.getTime()) break;
  }
  return found.filter(hasChanged).map(updateOf);
}

async function pageOf(cli: PulumiCli, stack: string, page: number): Promise<Entry[]> {
  const args = ["stack", "history", "--json", "--stack", stack, "--page-size", String(PAGE), "--page", String(page)];
  try {
    return format.parse(JSON.parse(await cli.ask(...args)));
  } catch (error) {
    if (error instanceof PulumiCliError && error.noStack) return [];
    throw error;
  }
}

/** A failed update may have changed anything. */
function hasChanged({ kind, result, resourceChanges }: Entry): boolean {
  if (kind !== "update" && kind !== "destroy") return false;
  return result !== "succeeded" || Object.entries(resourceChanges ?? {}).some(([op, n]) => !IDLE.has(op) && n > 0);
}

const IDLE: ReadonlySet<string> = new Set(["same", "read", "refresh", "discard"]);

function updateOf({ startTime, message = "" }: Entry): Update {
  const [, reviewed] = MESSAGE.exec(message) ?? [];
  return { at: new Date(startTime).toISOString(), reviewed };
}
