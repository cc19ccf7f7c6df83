/** A stack's state and its updates for Pulumi's engine: read from its folder, or asked of Pulumi wherever else it is kept. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import {
  type ExportedStack,
  type FileBackend,
  type LockHolder,
  type ResourceState,
  type SecretsManager,
  stackSecrets,
  type StoredDeployment,
  UnsupportedSecretsError,
} from "../../../engine/index.ts";
import type { StackFolder } from "../../project/open.ts";
import { managerFor, secretTextsIn } from "../../project/secrets.ts";
import type { Update } from "../contract.ts";
import { openSecrets, refOf } from "../place.ts";
import { markedResources, readRecords, revealedResources, type StateResource } from "../recorded.ts";
import { type PulumiCli, PulumiCliError } from "./cli.ts";

export interface PulumiState {
  /** As it is stored, secrets encrypted. Undefined where there is no such stack. */
  stored(): Promise<StoredDeployment | undefined>;
  /** Secrets in the clear. Undefined where there is no such stack. */
  records(): Promise<readonly StateResource[] | undefined>;
  /** The same with what is secret marked as such. */
  states(): Promise<readonly ResourceState[] | undefined>;
  /** Undefined where they are not encrypted with a passphrase that is known here. */
  secrets(): Promise<SecretsManager | undefined>;
  secretTexts(plan: unknown): Promise<string[]>;
  /** Who holds it now; none where only Pulumi's own message tells. */
  holders(): Promise<readonly LockHolder[]>;
}

export function stateOf(cli: PulumiCli, folder: StackFolder): PulumiState {
  const { files } = cli.home;
  const asked = new AskedState(cli, folder);
  return files === undefined ? asked : new FolderState(files, folder, asked);
}

class FolderState implements PulumiState {
  readonly #files: FileBackend;
  readonly #folder: StackFolder;
  readonly #asked: AskedState;

  constructor(files: FileBackend, folder: StackFolder, asked: AskedState) {
    this.#files = files;
    this.#folder = folder;
    this.#asked = asked;
  }

  async stored(): Promise<StoredDeployment | undefined> {
    const ref = refOf(this.#folder);
    return (await this.#files.exists(ref)) ? this.#files.readStored(ref) : undefined;
  }

  async records(): Promise<readonly StateResource[] | undefined> {
    const secrets = await this.#managerOrNone();
    return secrets === undefined ? this.#asked.records() : readRecords(this.#files, refOf(this.#folder), secrets);
  }

  async states(): Promise<readonly ResourceState[] | undefined> {
    const secrets = await this.#managerOrNone();
    const ref = refOf(this.#folder);
    if (secrets === undefined) return this.#asked.states();
    return (await this.#files.exists(ref)) ? (await this.#files.read(ref, secrets)).resources : [];
  }

  async secrets(): Promise<SecretsManager | undefined> {
    return openSecrets(this.#folder, this.#files).catch(() => undefined);
  }

  async #managerOrNone(): Promise<SecretsManager | undefined> {
    try {
      return await openSecrets(this.#folder, this.#files);
    } catch (error) {
      if (error instanceof UnsupportedSecretsError) return undefined;
      throw error;
    }
  }

  async secretTexts(plan: unknown): Promise<string[]> {
    const stored = await this.stored();
    if (stored === undefined) return [];
    return secretTextsIn([stored.resources ?? [], plan], await managerFor(stored, await this.secrets()));
  }

  async holders(): Promise<readonly LockHolder[]> {
    return this.#files.holders(refOf(this.#folder));
  }
}

/** As Pulumi itself reads it, wherever it is kept and whatever encrypts it. */
class AskedState implements PulumiState {
  readonly #cli: PulumiCli;
  readonly #folder: StackFolder;

  constructor(cli: PulumiCli, folder: StackFolder) {
    this.#cli = cli;
    this.#folder = folder;
  }

  async stored(): Promise<StoredDeployment | undefined> {
    return (await this.#export())?.deployment;
  }

  async records(): Promise<readonly StateResource[] | undefined> {
    const exported = await this.#export("--show-secrets");
    return exported && revealedResources(exported);
  }

  async states(): Promise<readonly ResourceState[] | undefined> {
    const exported = await this.#export("--show-secrets");
    return exported && markedResources(exported);
  }

  async secrets(): Promise<SecretsManager | undefined> {
    const { config } = this.#folder;
    if (config.encryptionSalt === undefined) return undefined;
    return stackSecrets(config, process.env).catch(() => undefined);
  }

  async secretTexts(plan: unknown): Promise<string[]> {
    const [exported, secrets] = await Promise.all([this.#export("--show-secrets"), this.secrets()]);
    return secretTextsIn([exported?.deployment.resources, plan], secrets);
  }

  holders(): Promise<readonly LockHolder[]> {
    return Promise.resolve([]);
  }

  async #export(...flags: string[]): Promise<ExportedStack | undefined> {
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

// What a killed run was creating, and the state holds by now. Pulumi keeps such a note until somebody refreshes, each run would
// look into it again, and tell of it. Importing a state drops its notes.

/** Whether nothing else is noted. */
function areSettled({ resources = [], pending_operations: pending = [] }: StoredDeployment): boolean {
  const standing = new Set(resources.flatMap(({ urn, id, delete: goes }) => (id !== undefined && !goes ? [urn] : [])));
  return pending.length > 0 && pending.every(({ type, resource }) => type === "creating" && standing.has(resource.urn));
}

/** As `pulumi refresh --clear-pending-creates` does it, without the refresh. In words, why it could not be. */
export async function clearSettled(
  cli: PulumiCli,
  stack: string,
  stored: () => Promise<StoredDeployment | undefined>,
): Promise<string | undefined> {
  const file = join(cli.scratch, "settled.json");
  try {
    const state = await stored();
    if (state === undefined || !areSettled(state)) return undefined;
    writeFileSync(file, await cli.ask("stack", "export", "--stack", stack), { mode: 0o600 });
    await cli.ask("stack", "import", "--stack", stack, "--file", file);
    return undefined;
  } catch (error) {
    return `what Pulumi notes of an interrupted run could not be cleared: ${error instanceof Error ? error.message : String(error)}`;
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

/** A failed update may have done anything. */
function hasChanged({ kind, result, resourceChanges }: Entry): boolean {
  if (kind !== "update" && kind !== "destroy") return false;
  return result !== "succeeded" || Object.entries(resourceChanges ?? {}).some(([op, n]) => !IDLE.has(op) && n > 0);
}

const IDLE: ReadonlySet<string> = new Set(["same", "read", "refresh", "discard"]);

function updateOf({ startTime, message = "" }: Entry): Update {
  const [, reviewed] = MESSAGE.exec(message) ?? [];
  return { at: new Date(startTime).toISOString(), ...(reviewed !== undefined && { reviewed }) };
}
