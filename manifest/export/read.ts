/** Reads an account with few calls: lists of 100, and what they don't show once for each object. Nothing is written. */
import { type Account, ForbiddenError, type LandformApi, NotFoundError } from "../../provider/api/index.ts";
import { type Collection, type Identified, MOST, ofProject } from "../../provider/definition/collection.ts";
import type { AnyDefinition } from "../../provider/definition/define.ts";
import { aloneOf } from "../../provider/definition/foresight.ts";
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
  /** Only what belongs to this project, and the project itself. */
  readonly project?: string;
  readonly include?: readonly Kind[];
  readonly onProgress?: (progress: Progress) => void;
  /** Objects that are of no concern: nothing but lists is read of them. */
  readonly leaveOut?: (kind: Kind, id: string) => boolean;
}

/** An object as the service lists it, with what only a read of its own tells. */
export interface LiveObject {
  readonly kind: Kind;
  readonly row: Identified;
  readonly details: unknown;
  /** It bears the mark of a creation because a destroy had to leave it: what belongs to it can't be deleted. */
  readonly kept?: true;
}

export interface AccountRecords {
  /** Undefined where the key may not ask for it. */
  readonly account: Account | undefined;
  readonly objects: readonly LiveObject[];
  /** Everything of the kinds that were read, not of one project alone. */
  readonly whole: boolean;
  readonly warnings: readonly string[];
}

type Listed = AnyDefinition & { readonly collection: Collection };

const kinds = Object.entries(registry) as [Kind, AnyDefinition][];

/** Kinds that the service lists. */
export const listedKinds: readonly Kind[] = kinds.flatMap(([kind, { collection }]) => (collection ? [kind] : []));

export const defaultKinds: readonly Kind[] = listedKinds.filter((kind) => {
  const { exporting }: AnyDefinition = registry[kind];
  return exporting?.byDefault !== false;
});

const READS_AT_ONCE = 8;

export async function readAccount(api: LandformApi, options: ReadOptions = {}): Promise<AccountRecords> {
  const { project, include = defaultKinds, onProgress = () => undefined, leaveOut = () => false } = options;
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
      if (kind && !leaveOut(kind, row.id)) listed.push({ kind, row, details: undefined });
    }
  }
  const settled = await Promise.all(listed.map((object) => settledOf(api, object)));
  const objects = await withDetails(api, settled.flat(), onProgress);
  return { account, objects, whole: project === undefined, warnings };
}

/** A list may lag behind, and show an object under the name of its creation that has its own by now. */
async function settledOf(api: LandformApi, object: LiveObject): Promise<LiveObject[]> {
  const { collection, plan }: AnyDefinition = registry[object.kind];
  const { id } = object.row;
  const isMarked = (row: Identified): boolean => markerIn(collection?.nameOf(row)) !== undefined;
  if (collection === undefined || !isMarked(object.row)) return [object];
  const row = await orGone(collection.read(api, id));
  if (row === undefined) return [];
  const deletion = isMarked(row) ? await plan.foreseeDeletion?.(api, aloneOf(id)) : undefined;
  return [{ ...object, row, ...(deletion?.stays === true && { kept: true as const }) }];
}

/** An object that is deleted meanwhile has no details, and is left out. */
async function withDetails(
  api: LandformApi,
  objects: readonly LiveObject[],
  onProgress: (progress: Progress) => void,
): Promise<LiveObject[]> {
  const found = new Map<LiveObject, LiveObject>();
  const groups = Map.groupBy(objects, ({ kind }) => detailsOf(kind));
  for (const [details, group] of groups) {
    if (!details) {
      for (const object of group) found.set(object, object);
      continue;
    }
    const waiting = group.values();
    let done = 0;
    const work = async (): Promise<void> => {
      for (const object of waiting) {
        const read = await details.read(api, object.row).catch(whenGone);
        if (read !== undefined) found.set(object, { ...object, details: read });
        onProgress({ what: details.plural, done: ++done, total: group.length });
      }
    };
    await Promise.all(Array.from({ length: READS_AT_ONCE }, work));
  }
  return objects.flatMap((object) => found.get(object) ?? []);
}

function detailsOf(kind: Kind): NonNullable<AnyDefinition["exporting"]>["details"] {
  const { exporting }: AnyDefinition = registry[kind];
  return exporting?.details;
}

function whenGone(error: unknown): undefined {
  if (!(error instanceof NotFoundError)) throw error;
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
