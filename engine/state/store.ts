import { createHash } from "node:crypto";
import { rename, stat } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { formatCheckpoint, newManifest, parseCheckpoint, type StoredDeployment } from "./checkpoint.ts";
import {
  IntegrityError,
  StateOfAnotherStackError,
  JournalMismatchError,
  StackNotFoundError,
  UnsupportedBackendError,
  UnsupportedCheckpointError,
} from "./errors.ts";
import { copyIfThere, findLink, ifThere, makeFolder, readIfThere, writeAtomic } from "./files.ts";
import { nanoseconds } from "./history.ts";
import { integrityProblems, isOf, stackOf } from "./integrity.ts";
import { type JournalContent, markLeftJournal, readJournal, removeJournal } from "./journal.ts";
import { type Layout, qualifiedName } from "./layout.ts";
import { Ledger } from "./ledger.ts";
import type { Deployment, ResourceState } from "../model/types.ts";
import type { StackRef } from "./types.ts";

/** A stack from its files, with the steps of an interrupted run. Secrets stay encrypted. */
export interface LoadedStack {
  stored: StoredDeployment;
  hash: string;
  left: JournalContent | undefined;
}

/**
 * The last file that was read. A command reads its stack's state many times and holds several answers at once. Answers from the same file share their
 * values, which nobody changes in place. A writer puts another file in its place.
 */
export class LastParsed {
  #last: (Pick<LoadedStack, "stored" | "hash"> & { readonly at: string }) | undefined;

  async of(file: string): Promise<Pick<LoadedStack, "stored" | "hash">> {
    const at = await stampOf(file);
    if (this.#last?.at === at) return this.#last;
    const bytes = (await readIfThere(file)) ?? Buffer.alloc(0);
    const hash = sha256(bytes);
    const same = this.#last?.hash === hash ? this.#last.stored : undefined;
    // The old values must not stay in memory beside the new ones.
    this.#last = undefined;
    this.#last = { at, hash, stored: same ?? parseCheckpoint(bytes, file) };
    return this.#last;
  }
}

async function stampOf(file: string): Promise<string> {
  const { ino, size, mtimeNs, ctimeNs } = await stat(file, { bigint: true });
  return [file, ino, size, mtimeNs, ctimeNs].join(" ");
}

/** The last decrypted state, while somebody holds it: a command reads it five times before it begins, and opening secrets takes that time. */
export class LastDecoded {
  #last: { stored: WeakRef<StoredDeployment>; secrets: unknown; deployment: WeakRef<Deployment> } | undefined;

  async of(stored: StoredDeployment, secrets: unknown, decode: () => Promise<Deployment>): Promise<Deployment> {
    const last = this.#last;
    const known = last?.stored.deref() === stored && last.secrets === secrets ? last.deployment.deref() : undefined;
    const deployment = known ?? (await decode());
    this.#last = { stored: new WeakRef(stored), secrets, deployment: new WeakRef(deployment) };
    return deployment;
  }
}

/** The checkpoint of one stack and the journal beside it. It needs no passphrase, because both encrypt resources alike. */
export class StackStore {
  readonly #layout: Layout;
  readonly #ref: StackRef;
  readonly #last: LastParsed;

  constructor(layout: Layout, ref: StackRef, last = new LastParsed()) {
    this.#layout = layout;
    this.#ref = ref;
    this.#last = last;
  }

  get journal(): string {
    return this.#layout.journal(this.#ref);
  }

  /** Returns the checkpoint's file, compressed or not: the youngest, as in Pulumi. */
  async file(): Promise<string | undefined> {
    await refuseLinks(this.#layout, this.#ref);
    const plain = this.#layout.checkpoint(this.#ref);
    const found: { file: string; time: number }[] = [];
    for (const file of [plain, `${plain}.gz`, `${plain}.zst`]) {
      const time = await modificationTime(file);
      if (time !== undefined) found.push({ file, time });
    }
    const youngest = found.sort((a, b) => b.time - a.time)[0]?.file;
    if (youngest?.endsWith(".zst"))
      throw new UnsupportedCheckpointError(
        `${youngest} is compressed with zstd, which is not supported here; unset PULUMI_DIY_BACKEND_ZSTD and let the real Pulumi engine write the stack once`,
      );
    return youngest;
  }

  async existingFile(): Promise<string> {
    const file = await this.file();
    if (file !== undefined) return file;
    throw new StackNotFoundError(
      `there is no stack ${qualifiedName(this.#ref)} in ${this.#layout.root}; check the backend's address`,
    );
  }

  async load(): Promise<LoadedStack> {
    const journal = await readJournal(this.journal);
    const file = await this.existingFile();
    const { stored, hash } = await this.#last.of(file);
    refuseOthers(this.#ref, stored, file);
    if (journal === undefined || journal.steps.length === 0 || journal.folded === hash)
      return { stored, hash, left: undefined };
    const { header, steps } = journal;
    if (header.base !== hash)
      throw new JournalMismatchError(
        `${this.journal} holds the steps (${steps.length}) of a run that was interrupted, begun ${header.started}, but ${file} was changed after it, by Pulumi or by hand, so they no longer fit`,
      );
    return { stored: replay(stored, journal), hash, left: journal };
  }

  /** Replaces the checkpoint atomically. `mark` makes the new hash durable first, which tells a folded journal from an open one. */
  async publish(
    stored: StoredDeployment,
    mark?: (hash: string) => Promise<void>,
    encode?: (state: ResourceState) => ResourceState,
  ): Promise<void> {
    const problems = integrityProblems(stored.resources ?? []);
    if (problems.length > 0)
      throw new IntegrityError(
        `the new state of ${qualifiedName(this.#ref)} is inconsistent and was not written; the steps of this run stay in ${this.journal}:`,
        problems,
      );
    const file = (await this.file()) ?? this.#layout.checkpoint(this.#ref);
    const text = formatCheckpoint(this.#ref, stored, encode);
    const parts = file.endsWith(".gz") ? [gzipSync(Buffer.concat(text))] : text;
    await mark?.(sha256(...parts));
    await copyIfThere(file, `${file}.bak`);
    await writeAtomic(file, parts);
  }

  async keepBackup(): Promise<void> {
    const file = await this.existingFile();
    await copyIfThere(file, `${file}.bak`);
  }

  /** Folds the journal of an interrupted run. Returns the number of its steps. The caller holds the lock. */
  async recover(): Promise<number> {
    const { stored, left } = await this.load();
    if (left !== undefined) await this.publish(stored, (hash) => markLeftJournal(this.journal, left.length, hash));
    await removeJournal(this.journal);
    return left?.steps.length ?? 0;
  }

  /** Moves an unusable journal to the backups. Returns its new place. */
  async setJournalAside(): Promise<string | undefined> {
    if ((await modificationTime(this.journal)) === undefined) return undefined;
    const folder = this.#layout.backups(this.#ref);
    const target = join(folder, `${this.#ref.stack}.${nanoseconds()}.journal`);
    await makeFolder(folder);
    await rename(this.journal, target);
    return target;
  }
}

/** Refuses a copied file: nothing in it has the names of this stack, so the run would delete all of it. */
function refuseOthers(ref: StackRef, { resources = [] }: StoredDeployment, file: string): void {
  const found = resources.find(({ urn }) => urn.startsWith("urn:pulumi:") && !isOf(ref, urn));
  if (found === undefined) return;
  const other = stackOf(found.urn);
  throw new StateOfAnotherStackError(
    `${file} holds the state of ${other.project}/${other.stack}, and this is ${ref.project}/${ref.stack}. Nothing was sent. Put the stack's own file there (${file}.bak is the one before), or bring the resources over with \`pulumi stack rename\``,
  );
}

/** Refuses links: a person who can put a link into the state's folder could make the run read or write any file. */
async function refuseLinks(layout: Layout, ref: StackRef): Promise<void> {
  const link = await findLink(layout.placesOf(ref));
  if (link === undefined) return;
  throw new UnsupportedBackendError(
    `${link} is a symbolic link, and a stack's files are never read or written through one. Put the file or folder itself there, or set PULUMI_BACKEND_URL to where it is`,
  );
}

export function sha256(...parts: Uint8Array[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
}

function replay(stored: StoredDeployment, journal: JournalContent): StoredDeployment {
  const ledger = new Ledger(stored.resources ?? [], stored.pending_operations ?? []);
  for (const step of journal.steps) ledger.apply(step);
  return {
    ...stored,
    manifest: newManifest(),
    resources: ledger.resources(),
    pending_operations: ledger.pendingOperations(),
  };
}

async function modificationTime(file: string): Promise<number | undefined> {
  return (await ifThere(stat(file)))?.mtimeMs;
}
