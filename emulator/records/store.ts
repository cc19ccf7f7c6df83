import { createRequire } from "node:module";
import type * as Sqlite from "node:sqlite";

/**
 * The records of the account: collections in memory, written through to a SQLite file if there is one.
 *
 * `flush` commits a call's writes together, before its answer is sent.
 */
export class Store {
  readonly #database: Sqlite.DatabaseSync | undefined;
  readonly #collections = new Map<string, Collection<Entity>>();
  #unsaved: Change[] = [];

  constructor(file?: string) {
    this.#database = file === undefined ? undefined : openDatabase(file);
  }

  /** Returns the collection of that name. Every write and list asks for `listLagMs`. */
  collection<T extends Entity>(name: string, listLagMs: () => number = () => 0): Collection<T> {
    if (this.#collections.has(name)) throw new Error(`The collection ${name} is open already.`);
    const record = (id: string, value: Entity | undefined): unknown => this.#unsaved.push({ name, id, value });
    const collection = new Collection<T>(this.#load(name) as T[], listLagMs, record);
    this.#collections.set(name, collection as unknown as Collection<Entity>);
    return collection;
  }

  /** Returns every record, by collection. */
  dump(): Record<string, Entity[]> {
    return Object.fromEntries([...this.#collections].map(([name, collection]) => [name, collection.all()]));
  }

  restore(dump: Record<string, Entity[]>): void {
    for (const [name, collection] of this.#collections) collection.restore(dump[name] ?? []);
  }

  flush(): void {
    const changes = this.#unsaved;
    this.#unsaved = [];
    if (this.#database === undefined || changes.length === 0) return;
    this.#database.exec("BEGIN IMMEDIATE");
    const put = this.#database.prepare(
      "INSERT INTO record (collection, id, json) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET json = excluded.json",
    );
    const remove = this.#database.prepare("DELETE FROM record WHERE collection = ? AND id = ?");
    for (const { name, id, value } of changes) {
      if (value === undefined) remove.run(name, id);
      else put.run(name, id, JSON.stringify(value));
    }
    this.#database.exec("COMMIT");
  }

  close(): void {
    this.flush();
    this.#database?.close();
  }

  #load(name: string): unknown[] {
    const rows = this.#database?.prepare("SELECT json FROM record WHERE collection = ? ORDER BY position").all(name) as
      { json: string }[] | undefined;
    return (rows ?? []).map(({ json }) => JSON.parse(json) as unknown);
  }
}

export interface Entity {
  id: string;
}

interface Change {
  name: string;
  id: string;
  value: Entity | undefined;
}

/** A former version of a record (undefined: deleted), and the time from which lists show it. */
interface Version<T> {
  value: T | undefined;
  visibleAt: number;
}

/** Records of one kind in order of creation. `put` replaces a record and never changes it in place. */
export class Collection<T extends Entity> {
  readonly #versions = new Map<string, Version<T>[]>();
  readonly #listLagMs: () => number;
  readonly #changed: (id: string, value: T | undefined) => unknown;

  constructor(loaded: T[], listLagMs: () => number, changed: (id: string, value: T | undefined) => unknown) {
    this.#listLagMs = listLagMs;
    this.#changed = changed;
    for (const value of loaded) this.#versions.set(value.id, [{ value, visibleAt: 0 }]);
  }

  get(id: string): T | undefined {
    return this.#versions.get(id)?.at(-1)?.value;
  }

  put(value: T): T {
    this.#write(value.id, value);
    return value;
  }

  delete(id: string): void {
    this.#write(id, undefined);
  }

  /** The records as they are. */
  all(): T[] {
    return [...this.#versions.values()].flatMap((versions) => versions.at(-1)?.value ?? []);
  }

  /** Returns the records as lists and searches show them, which may lag. */
  listed(): T[] {
    if (this.#listLagMs() === 0) return this.all();
    const now = Date.now();
    return [...this.#versions.values()].flatMap((versions) => visible(versions, now)?.value ?? []);
  }

  /** Restores records. Lists show them at once, even if they lag otherwise. */
  restore(values: readonly T[]): void {
    for (const id of this.#versions.keys()) this.#changed(id, undefined);
    this.#versions.clear();
    for (const value of values) {
      this.#versions.set(value.id, [{ value, visibleAt: 0 }]);
      this.#changed(value.id, value);
    }
  }

  #write(id: string, value: T | undefined): void {
    const now = Date.now();
    const lag = this.#listLagMs();
    const versions = this.#versions.get(id) ?? [];
    if (value === undefined && lag === 0) this.#versions.delete(id);
    else {
      const shown = visible(versions, now);
      const later = versions.filter(({ visibleAt }) => visibleAt > now);
      this.#versions.set(id, [...(shown ? [shown] : []), ...later, { value, visibleAt: now + lag }]);
    }
    this.#changed(id, value);
  }
}

function visible<T>(versions: readonly Version<T>[], now: number): Version<T> | undefined {
  return versions.findLast(({ visibleAt }) => visibleAt <= now);
}

const layout = `
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  CREATE TABLE IF NOT EXISTS record (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    collection TEXT NOT NULL,
    id TEXT NOT NULL,
    json TEXT NOT NULL,
    UNIQUE (collection, id)
  );
`;

/** node:sqlite warns that it is experimental, so it loads only if there is a file. */
function openDatabase(file: string): Sqlite.DatabaseSync {
  const sqlite = createRequire(import.meta.url)("node:sqlite") as typeof Sqlite;
  try {
    const database = new sqlite.DatabaseSync(file);
    database.exec(layout);
    return database;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `The emulator's data file ${file} can't be opened: ${reason}. If another emulator keeps its account there, end it first; otherwise give another file.`,
      {
        cause: error,
      },
    );
  }
}
