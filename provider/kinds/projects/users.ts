/** Finds the objects that refer to a project: the service does not delete a project while there is one. The kinds' references say which. */
import { listed } from "../../values/wording.ts";
import type { LandformApi } from "../../api/index.ts";
import { operations } from "../../api/operations.ts";
import { orGone } from "../../account/presence.ts";
import { collect, type Collection, type Identified, MOST } from "../../definition/collection.ts";
import type { AnyDefinition } from "../../definition/define.ts";
import type { ForeseenDeletion, PlannedDeletion } from "../../definition/foresight.ts";
import { refersTo } from "../../definition/schema-walk.ts";
import { markerIn, objectKey, type ObjectKey } from "../../ledger/identity.ts";

export type Kinds = () => readonly AnyDefinition[];

type UserKind = AnyDefinition & { readonly collection: Collection };

/** An object that refers to a project. One that the API can delete is in the way of the project's deletion; any other stays with it. */
interface User {
  readonly definition: UserKind;
  readonly row: Identified;
  /** With its kind, name and id. */
  readonly called: string;
  readonly stays: boolean;
  /** An interrupted run of this stack left it half made. The end of a run removes such objects. */
  readonly isLeftover: boolean;
}

/** The run's part in what becomes of an object that refers to a project. */
export interface Fates {
  /** A list may show for a while an object that was deleted or retired. */
  readonly isGone: (key: ObjectKey) => boolean;
  /** The run leaves it in the account by the user's word, such as the option retainOnDelete. */
  readonly isLeft: (key: ObjectKey) => boolean;
  /** STACK of this stack's markers. */
  readonly stack: string | undefined;
}

/** Returns the kinds that may refer to a project. A kind that only sets up existing things (a video's player) makes nothing that would. */
function usersAmong(kinds: readonly AnyDefinition[]): UserKind[] {
  return kinds.filter(
    (definition): definition is UserKind =>
      definition.collection !== undefined &&
      definition.calls.create.some((call) => operations[call].effect === "create") &&
      Object.values(definition.inputs.shape).some((schema) => refersTo(schema).includes("project")),
  );
}

export async function usersOf(api: LandformApi, kinds: Kinds, id: string, fates: Fates): Promise<readonly User[]> {
  const collections = new Map(usersAmong(kinds()).map((definition) => [definition.collection, definition]));
  const lists = [...collections.values()].map(async (definition) => {
    const rows = await collect(definition.collection.all(api, { project_id: id }, { limit: MOST }));
    return rows.flatMap((row) => userIn(definition, row, fates) ?? []);
  });
  return (await Promise.all(lists)).flat();
}

function userIn(definition: UserKind, row: Identified, fates: Fates): User | undefined {
  const { collection, leaves, exporting } = definition;
  const key = objectKey(definition, row.id);
  const isGone = fates.isGone(key);
  if (isGone && leaves === undefined) return undefined;
  const name = collection.nameOf(row) ?? "";
  const isRetired = leaves === "retired" && (isGone || exporting?.leftOut?.(row) !== undefined);
  const called = `${isRetired ? "retired " : ""}${collection.what} "${name}" (${row.id})`;
  const isLeftover = fates.stack !== undefined && markerIn(name)?.startsWith(`${fates.stack}-`) === true;
  // A leftover that is removed by retiring it keeps its project.
  const isKept = isRetired || leaves === "in place" || (leaves === "retired" && isLeftover);
  return { definition, row, called, stays: isKept || fates.isLeft(key), isLeftover };
}

/** Returns the objects that stay with the project, or those in the way of its deletion. */
export function calledAmong(users: readonly User[], staying: boolean): string[] {
  return users.flatMap(({ stays, called }) => (stays === staying ? [called] : []));
}

/** Foresees a deletion. A list may lag, so an object that seems to be in the way is read by its id before anything is refused. */
export async function foreseeDeletion(
  api: LandformApi,
  kinds: Kinds,
  { id, going, moving, left, stack }: PlannedDeletion,
): Promise<ForeseenDeletion> {
  const users = await usersOf(api, kinds, id, {
    isGone: (key) => going.has(key),
    isLeft: (key) => left.has(key),
    stack,
  });
  const refersStill = async (user: User): Promise<User[]> => {
    const { definition, row, stays, isLeftover } = user;
    if (stays) return [user];
    const now = await orGone(definition.collection.read(api, row.id));
    const isLeaving = moving.has(objectKey(definition, row.id)) || isLeftover;
    return now !== undefined && definition.shown.answerOf(now)["projectId"] === id && !isLeaving ? [user] : [];
  };
  const still = (await Promise.all(users.map(refersStill))).flat();
  const blocking = calledAmong(still, false);
  if (blocking.length === 0) return { refused: [], stays: still.length > 0 };
  const refused =
    `it can't be deleted, because it still has these: ${listed(blocking)}. Give them another project, or remove ` +
    `them, too; or keep the project with the option retainOnDelete, in a run before its removal`;
  return { refused: [refused], stays: false };
}
