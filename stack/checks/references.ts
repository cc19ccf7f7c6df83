/** Finds ids that a plan refers to and that the account doesn't have. */
import { type Json, isRecord, type PropertyMap } from "../../engine/index.ts";
import { type LandformApi, NotFoundError } from "../../provider/api/index.ts";
import { LookupError, type Collection } from "../../provider/definition/collection.ts";
import type { AnyDefinition } from "../../provider/definition/define.ts";
import { refersTo, schemaBelow } from "../../provider/definition/schema-walk.ts";
import { definitionOf, registry } from "../../provider/kinds/registry.ts";
import { templates } from "../../provider/kinds/page/document/collection.ts";
import type { Change, Failure, Field } from "../report/model.ts";
import { known, shown, pathText } from "../report/values.ts";
import { declaredIn, failed, type PlannedChanges, type Unheard } from "./planned.ts";

/** Asks for each id once, and names a missing one together with similar ones. */
export async function missingReferences(
  api: LandformApi,
  { changes, told }: PlannedChanges,
  unheard: Unheard,
): Promise<Failure[]> {
  const asked = new Map<string, Promise<string | undefined>>();
  const ask = (collection: Collection, id: string) => {
    const key = `${collection.what} ${id}`;
    const answer = asked.get(key) ?? absence(api, collection, id, unheard);
    asked.set(key, answer);
    return answer;
  };
  const found = changes.flatMap((change) =>
    sentIn(change, declaredIn(change, told.get(change.urn))).map(async ({ path, value }): Promise<Failure[]> => {
      const id = known(value);
      if (typeof id !== "string") return [];
      // A reference that may be of several kinds is missing only if none of them has it.
      const [reason, ...others] = await Promise.all(collectionsFor(change, path).map((one) => ask(one, id)));
      if (reason === undefined || others.includes(undefined)) return [];
      return [failed(change, `${pathText(path)}: ${reason}`)];
    }),
  );
  return (await Promise.all(found)).flat();
}

interface Sent {
  path: Field["path"];
  value: Field["new"];
}

/**
 * The values that a change sends: its changed fields, and all items of a changed list, because a list is sent as a whole. A new object gets
 * everything.
 */
function sentIn({ op, fields }: Change, inputs: PropertyMap): Sent[] {
  const changed = fields.map(({ path, new: value }) => ({ path, value }));
  const whole = op === "replace" ? Object.keys(inputs) : fields.map(({ path }) => String(path[0]));
  const lists = op === "delete" ? [] : new Set(whole);
  const told = new Set(changed.map(({ path }) => path.join("\0")));
  const rest = [...lists].flatMap((name) => {
    const value = shown(inputs[name] ?? null);
    return Array.isArray(value) ? [...leavesOf(value, [name])].filter(({ path }) => !told.has(path.join("\0"))) : [];
  });
  return [...changed, ...rest];
}

function* leavesOf(value: Json, path: Sent["path"]): Generator<Sent> {
  if (Array.isArray(value)) for (const [index, item] of value.entries()) yield* leavesOf(item, [...path, index]);
  else if (isRecord(value)) for (const [key, item] of Object.entries(value)) yield* leavesOf(item, [...path, key]);
  else yield { path, value };
}

function collectionsFor({ type }: Change, path: Field["path"]): Collection[] {
  const schema = path.reduce<unknown>(schemaBelow, definitionOf(type)?.inputs);
  const kinds = Object.values<AnyDefinition>(registry);
  const all: Collection[] = [
    ...kinds.flatMap(({ collection, lookup }) => [collection ?? [], lookup ?? []].flat()),
    templates,
  ];
  const found = refersTo(schema).map((what) => all.find((collection) => collection.what === what));
  return found.flatMap((collection) => collection ?? []);
}

/** Returns the reason why the id can't be referred to. Returns undefined if it can, or if the answer says nothing about that. */
async function absence(
  api: LandformApi,
  collection: Collection,
  id: string,
  unheard: Unheard,
): Promise<string | undefined> {
  try {
    await collection.read(api, id);
    return undefined;
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof LookupError) return error.message;
    unheard.note(error);
    return undefined;
  }
}
