/** The files of a project, and their changes. Only their content is compared: a touch changes nothing. */
import { createHash } from "node:crypto";
import { fstatSync, readdirSync, readFileSync, type Stats, statSync, watch } from "node:fs";
import { join, relative } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

interface Seen {
  modified: number;
  size: number;
  digest: string;
}

/** By path, relative to the folder. */
type Snapshot = ReadonlyMap<string, Seen>;

export function namesOf(changed: readonly string[]): string {
  const shown = changed.slice(0, 3).join(", ");
  return `${shown}${changed.length > 3 ? ` and ${changed.length - 3} more` : ""} changed`;
}

/** Installed packages, compiled files, logs, and everything hidden, such as state and repositories. */
const SKIPPED = /^\.|^node_modules$|^dist$|\.log$/;
/** A watch that writes into a file of the folder would otherwise trigger itself. */
const STANDARD_OUTPUTS = [1, 2];
const LARGEST_BYTES = 16 * 1024 * 1024;
/** Editors write a file in several steps. */
const DEBOUNCE_MS = 60;
/** Some file systems don't report changes. */
const LOOK_MS = 1_000;

export class ProjectFiles {
  readonly #root: string;
  readonly #own: ReadonlySet<string>;
  #snapshot: Snapshot;

  /** `outputs`: descriptors of files that this process writes itself. */
  constructor(root: string, outputs: readonly number[] = STANDARD_OUTPUTS) {
    this.#root = root;
    this.#own = new Set(outputs.flatMap(identityOfOpen));
    this.#snapshot = snapshotOf(root, new Map(), this.#own);
  }

  /** Returns the files that have changed since the last call. */
  changed(): string[] {
    const before = this.#snapshot;
    this.#snapshot = snapshotOf(this.#root, before, this.#own);
    const now = this.#snapshot;
    const paths = new Set([...before.keys(), ...now.keys()]);
    return [...paths].filter((path) => before.get(path)?.digest !== now.get(path)?.digest).sort();
  }

  /** Waits until a change has settled. Returns undefined once the signal is aborted. */
  async nextChange(signal: AbortSignal): Promise<string[] | undefined> {
    const told = new Bell(this.#root);
    try {
      while (!signal.aborted) {
        const changed = this.changed();
        if (changed.length > 0) return [...new Set([...changed, ...(await this.#settled(signal))])];
        await told.rings(LOOK_MS, signal);
      }
      return undefined;
    } finally {
      told.close();
    }
  }

  async #settled(signal: AbortSignal): Promise<string[]> {
    const later: string[] = [];
    while (!signal.aborted) {
      await pause(DEBOUNCE_MS, signal);
      const more = this.changed();
      if (more.length === 0) break;
      later.push(...more);
    }
    return later;
  }
}

class Bell {
  readonly #watcher: ReturnType<typeof watch> | undefined;
  #ring = (): void => undefined;
  #rung = false;

  constructor(root: string) {
    try {
      this.#watcher = watch(root, { recursive: true }, () => {
        this.#rung = true;
        this.#ring();
      });
      this.#watcher.on("error", () => undefined);
    } catch {
      // The watch then looks at the files from time to time.
      this.#watcher = undefined;
    }
  }

  async rings(longest: number, signal: AbortSignal): Promise<void> {
    if (!this.#rung) {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      this.#ring = () => resolve(undefined);
      await Promise.race([promise, pause(longest, signal)]);
    }
    this.#rung = false;
  }

  close(): void {
    this.#watcher?.close();
  }
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, { signal }).catch(() => undefined);
}

function snapshotOf(root: string, before: Snapshot, own: ReadonlySet<string>): Snapshot {
  return new Map(filesIn(root).flatMap((file) => seen(root, file, before, own)));
}

const identityOf = ({ dev, ino }: Stats): string => `${dev} ${ino}`;

function identityOfOpen(descriptor: number): string[] {
  try {
    return [identityOf(fstatSync(descriptor))];
  } catch {
    return [];
  }
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (SKIPPED.test(entry.name)) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesIn(path);
    return entry.isFile() ? [path] : [];
  });
}

/** A file with the same size and time counts as unchanged. A file that was deleted meanwhile is left out. */
function seen(root: string, file: string, before: Snapshot, own: ReadonlySet<string>): [string, Seen][] {
  const path = relative(root, file);
  try {
    const found = statSync(file);
    if (own.has(identityOf(found))) return [];
    const { mtimeMs: modified, size } = found;
    const old = before.get(path);
    if (old?.modified === modified && old.size === size) return [[path, old]];
    const content = size > LARGEST_BYTES ? `${modified} ${size}` : readFileSync(file);
    return [[path, { modified, size, digest: createHash("sha256").update(content).digest("base64") }]];
  } catch {
    return [];
  }
}
