/** Reads an account with few calls: lists of 100, and one more read for each object that a list shows in part. It writes nothing. */
import { type Account, ForbiddenError, type LandformApi } from "../../provider/api/index.ts";
import { type Collection, type Identified, MOST, ofProject } from "../../provider/definition/collection.ts";
import type { AnyDefinition } from "../../provider/definition/define.ts";
import { markerIn } from "../../provider/ledger/identity.ts";
import { orGone } from "../../provider/account/presence.ts";
import { type Kind, registry } from "../../provider/kinds/registry.ts";

export interface Progress {
  readonly what: string;
  readonly done: number;
  /** Not known while lists are read. */
  readonly total: number | undefined;
}

export interface ReadOptions {
  /** Reads only the objects of this project, and the project itself. */
  readonly project?: string;
  readonly include?: readonly Kind[];
  readonly onProgress?: (progress: Progress) => void;
}

/** An object as the service lists it, with the details of its own read. */
export interface LiveObject {
  readonly kind: Kind;
  readonly row: Identified;
  readonly details: unknown;
}

export interface AccountRecords {
  /** Undefined if the key may not read the account. */
  readonly account: Account | undefined;
  readonly objects: readonly LiveObject[];
  /** True if the records hold all objects of the kinds that were read, and not only those of one project. */
  readonly whole: boolean;
  readonly warnings: readonly string[];
}

type Listed = AnyDefinition & { readonly collection: Collection };

const kinds = Object.entries(registry) as [Kind, AnyDefinition][];

export const listedKinds: readonly Kind[] = kinds.flatMap(([kind, { collection }]) => (collection ? [kind] : []));

export const defaultKinds: readonly Kind[] = listedKinds.filter((kind) => {
  const { exporting }: AnyDefinition = registry[kind];
  return exporting?.byDefault !== false;
});

const READS_AT_ONCE = 8;

export async function readAccount(api: LandformApi, options: ReadOptions = {}): Promise<AccountRecords> {
  const { project, include = defaultKinds, onProgress = () => undefined } = options;
  const account = await api.account.me().catch(whenForbidden);
  const listed: LiveObject[] = [];
  const warnings: string[] = [];
  const wanted = kinds.filter(
    (one): one is [Kind, Listed] => include.includes(one[0]) && one[1].collection !== undefined,
  );
  for (const [collection, group] of Map.groupBy(wanted, ([, definition]) => definition.collection)) {
    const rows = project === undefined ? collection.all(api, {}) : ofProject(collection, api, project);
    const gathered = await gather(rows, (done) => onProgress({ what: collection.plural, done, total: undefined }));
    if (collection.capped !== undefined && gathered.length >= MOST) warnings.push(collection.capped);
    for (const row of gathered) {
      const [kind] = group.find(([, definition]) => definition.shown.isOne?.(row) ?? true) ?? [];
      if (kind) listed.push({ kind, row, details: undefined });
    }
  }
  const settled = await Promise.all(listed.map((object) => settledOf(api, object)));
  const objects = await withDetails(api, settled.flat(), onProgress);
  return { account, objects, whole: project === undefined, warnings };
}

/** Reads an object again if a list that lags shows it under the marked name of its creation. */
async function settledOf(api: LandformApi, object: LiveObject): Promise<LiveObject[]> {
  const { collection }: AnyDefinition = registry[object.kind];
  if (collection === undefined || markerIn(collection.nameOf(object.row)) === undefined) return [object];
  const row = await orGone(collection.read(api, object.row.id));
  return row === undefined ? [] : [{ ...object, row }];
}

/** Reads the details of an object. One that was deleted meanwhile has none and is left out. */
async function withDetails(
  api: LandformApi,
  objects: readonly LiveObject[],
  onProgress: (progress: Progress) => void,
): Promise<LiveObject[]> {
  const found = new Map<LiveObject, LiveObject>();
  const groups = Map.groupBy(objects, ({ kind }) => (registry[kind] as AnyDefinition).exporting?.details);
  for (const [details, group] of groups) {
    let done = 0;
    await fewAtOnce(group, async (object) => {
      const read = details && (await orGone(details.read(api, object.row)));
      if (read !== undefined || !details) found.set(object, { ...object, details: read });
      if (details) onProgress({ what: details.plural, done: ++done, total: group.length });
    });
  }
  return objects.flatMap((object) => found.get(object) ?? []);
}

export async function fewAtOnce<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const waiting = all.values();
  const worker = async (): Promise<void> => {
    for (const one of waiting) await work(one);
  };
  await Promise.all(Array.from({ length: READS_AT_ONCE }, worker));
}

function whenForbidden(error: unknown): undefined {
  if (!(error instanceof ForbiddenError)) throw error;
}

async function gather<T>(rows: AsyncIterable<T>, onProgress: (done: number) => void): Promise<T[]> {
  const gathered: T[] = [];
  for await (const row of rows) {
    gathered.push(row);
    if (gathered.length % 100 === 0) onProgress(gathered.length);
  }
  return gathered;
}
