/** Finds the objects of the account that the creations of a plan could take over. It only reads. */
import { type Candidate, candidateOf, type Declared, depthOf, homesAt, leavesOf, mayBe } from "../manifest/index.ts";
import type { LandformApi } from "../provider/api/index.ts";
import { collect, type Identified } from "../provider/definition/collection.ts";
import type { AnyDefinition } from "../provider/definition/define.ts";
import { definitionOf } from "../provider/kinds/registry.ts";
import { getContentMap } from "../provider/lookups/index.ts";
import type { JsonMap } from "../provider/values/json.ts";
import { type Change, LATER, SECRET } from "./report/model.ts";
import { objectKey, type ObjectKey } from "../provider/ledger/identity.ts";

interface Wanted {
  declared: Declared;
  definition: AnyDefinition;
  candidates: Candidate[];
}

/** `taken`: the objects that the state already has. Kinds that the service never lists have no candidates. */
export async function lookAround(
  api: LandformApi,
  changes: readonly Change[],
  taken: ReadonlySet<ObjectKey>,
): Promise<Wanted[]> {
  const rows = new Map<AnyDefinition, Promise<readonly Identified[]>>();
  return Promise.all(
    changes.flatMap((change) => {
      const definition = definitionOf(change.type);
      if (definition === undefined) return [];
      const listed = rows.get(definition) ?? rowsOf(api, definition);
      rows.set(definition, listed);
      return [wantedOf(api, change, definition, listed, taken)];
    }),
  );
}

async function rowsOf(api: LandformApi, definition: AnyDefinition): Promise<readonly Identified[]> {
  const { collection } = definition;
  if (collection === undefined) return [];
  const all = await collect(collection.everything?.(api) ?? collection.all(api, {}));
  return all.filter((row) => definition.shown.isOne?.(row) ?? true);
}

async function wantedOf(
  api: LandformApi,
  change: Change,
  definition: AnyDefinition,
  listed: Promise<readonly Identified[]>,
  taken: ReadonlySet<ObjectKey>,
): Promise<Wanted> {
  const declared = declaredIn(change, definition);
  const free = (await listed).filter(({ id }) => !taken.has(objectKey(definition, id)));
  const likely = free.filter((row) =>
    mayBe({ label: nameOf(definition, row), answer: definition.shown.answerOf(row) }, declared.inputs),
  );
  const candidates = await Promise.all(
    likely.map(async (row) => {
      const id = definition.collection?.idOf?.(row) ?? row.id;
      const answer = await answered(api, definition, row, id);
      return candidateOf(definition, { id, label: nameOf(definition, row), answer }, declared);
    }),
  );
  return { declared, definition, candidates };
}

function nameOf({ collection }: AnyDefinition, row: Identified): string {
  return collection?.nameOf(row)?.trim() ?? "";
}

async function answered(api: LandformApi, definition: AnyDefinition, row: Identified, id: string): Promise<JsonMap> {
  const answer = definition.shown.answerOf(row);
  if (!("content" in definition.inputs.shape)) return answer;
  const { content } = await getContentMap(api, { pageId: id });
  return { ...answer, content: { ...content } };
}

/** The inputs of a planned creation, without secrets and without values that are not known yet. */
function declaredIn({ urn, type, name, fields }: Change, definition: AnyDefinition): Declared {
  const known = fields.flatMap(({ path, new: value }) => (value === undefined ? [] : leavesOf(value, path)));
  const inHomes = known.flatMap(([path, value]): [string, string | undefined][] =>
    homesAt(definition.type, path).length > 0 && typeof value === "string"
      ? [[path, value === LATER ? undefined : value]]
      : [],
  );
  const inputs = known.filter(([, value]) => value !== LATER && value !== SECRET);
  return { urn, type, name, inputs: new Map(inputs), homes: new Map(inHomes), depth: depthOf(definition) };
}
