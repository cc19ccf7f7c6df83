/** What a plan refers to and the account doesn't have. */
import { type Json, isRecord, type PropertyMap } from "../../engine/index.ts";
import { type LandformApi, NotFoundError } from "../../provider/api/index.ts";
import { LookupError, type Collection } from "../../provider/definition/collection.ts";
import type { AnyDefinition } from "../../provider/definition/define.ts";
import { refersTo } from "../../provider/definition/references.ts";
import { definitionOf, registry } from "../../provider/kinds/registry.ts";
import { templates } from "../../provider/kinds/page/collection.ts";
import { schemaBelow } from "../../provider/definition/schema-walk.ts";
import type { Change, Failure, Field } from "../report/model.ts";
import { known, shown, pathText } from "../report/values.ts";
import { declaredIn, failed, type PlannedChanges, type Unheard } from "./planned.ts";

/** The ids that a plan refers to, each asked for once: what isn't there is named with what is near. */
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
      // What may be of several kinds is missing where it is none of them.
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

/** What changes, and of a list all that stays in it: it is sent as a whole, and to a new object in any case. */
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

/** Why it can't be referred to; undefined where it can, or where the answer says nothing about that. */
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
