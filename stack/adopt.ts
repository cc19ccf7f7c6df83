/** Finds the objects of the account that the creations of a plan could take over. It only reads. */
import {
  type Candidate,
  candidateOf,
  type Declared,
  depthOf,
  type FoundObjects,
  type Home,
  homesAt,
  leavesOf,
  mayBe,
} from "../manifest/match/evidence.ts";
import type { LandformApi } from "../provider/api/index.ts";
import { collect, everythingIn, type Identified } from "../provider/definition/collection.ts";
import type { AnyDefinition } from "../provider/definition/define.ts";
import { definitionOf, keyOfType } from "../provider/kinds/registry.ts";
import { getContentMap } from "../provider/lookups/index.ts";
import type { Json, JsonMap } from "../provider/values/json.ts";
import { objectKey, type ObjectKey } from "../provider/ledger/identity.ts";
import { typeOf } from "../engine/index.ts";
import { adoptedBy } from "./checks/planned.ts";
import type { References } from "./review/plan.ts";
import { type Change, LATER, SECRET } from "./report/model.ts";
import { shortName } from "./report/steps.ts";

interface Wanted {
  declared: Declared;
  definition: AnyDefinition;
  candidates: Candidate[];
}

export function adoptedIn(changes: readonly Change[]): FoundObjects {
  return new Map(
    changes.flatMap((change) => {
      const id = adoptedBy(change);
      return typeof id === "string" ? [[change.urn, keyOfType(change.type, id)] as const] : [];
    }),
  );
}

/** `taken`: the objects that the state or the code already has. Kinds that the service never lists have no candidates. */
export async function lookAround(
  api: LandformApi,
  changes: readonly Change[],
  { references, taken }: { readonly references: References; readonly taken: ReadonlySet<ObjectKey> },
): Promise<Wanted[]> {
  const rows = new Map<AnyDefinition, Promise<readonly Identified[]>>();
  return Promise.all(
    changes.flatMap((change) => {
      const definition = definitionOf(change.type);
      if (definition === undefined) return [];
      const listed = rows.get(definition) ?? rowsOf(api, definition);
      rows.set(definition, listed);
      const declared = declaredIn(change, definition, references.get(change.urn) ?? {});
      return [wantedOf(api, { declared, definition }, listed, taken)];
    }),
  );
}

async function rowsOf(api: LandformApi, definition: AnyDefinition): Promise<readonly Identified[]> {
  const { collection } = definition;
  if (collection === undefined) return [];
  const all = await collect(everythingIn(collection, api));
  return all.filter((row) => definition.shown.isOne?.(row) ?? true);
}

async function wantedOf(
  api: LandformApi,
  { declared, definition }: Pick<Wanted, "declared" | "definition">,
  listed: Promise<readonly Identified[]>,
  taken: ReadonlySet<ObjectKey>,
): Promise<Wanted> {
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

/** The inputs of a planned creation as the service would show them, without secrets and without values that are not known yet. */
function declaredIn(
  { urn, type, name, fields }: Change,
  definition: AnyDefinition,
  references: Readonly<Record<string, readonly string[]>>,
): Declared {
  const known = fields.flatMap(({ path, new: value }) => (value === undefined ? [] : leavesOf(value, path)));
  const homes = known.flatMap(([path, value]): [string, Home][] => {
    const kinds = homesAt(definition.type, path);
    if (kinds.length === 0 || typeof value !== "string") return [];
    if (value !== LATER) return [[path, { id: value }]];
    const isHome = (one: string): boolean => kinds.some((kind) => kind.type === shortName(typeOf(one)));
    const [only, other] = (references[/^[^.[]+/.exec(path)?.[0] ?? path] ?? []).filter(isHome);
    return [[path, other === undefined ? { urn: only } : {}]];
  });
  const rendered = definition.plan.rendered?.(inputsOf(fields)) ?? {};
  const shown = new Map([...known, ...leavesOf(rendered)]);
  const isOpen = (value: Json): boolean =>
    [LATER, SECRET].some((open) => typeof value === "string" && value.includes(open));
  const inputs = [...shown].filter(([, value]) => !isOpen(value));
  return { urn, type, name, inputs: new Map(inputs), homes: new Map(homes), depth: depthOf(definition) };
}

/** Only as deep as a text and its variables are. */
function inputsOf(fields: Change["fields"]): JsonMap {
  const inputs: Record<string, Record<string, Json>> = {};
  for (const { path, new: value } of fields) {
    const [field, key, ...deeper] = path.map(String);
    if (field !== undefined && key !== undefined && deeper.length === 0 && value !== undefined)
      (inputs[field] ??= {})[key] = value;
  }
  return inputs;
}
