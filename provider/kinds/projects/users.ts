/** What refers to a project: the service keeps a project as long as anything does. */
import type { LandformApi } from "../../api/index.ts";
import type { ForeseenDeletion, PlannedDeletion } from "../../definition/foresight.ts";
import { markerIn } from "../../reconcile/identity.ts";
import { orGone } from "../../account/presence.ts";
import { objectKey, type ObjectKey } from "../../definition/object-key.ts";
import { isRetired } from "../funnels/claim.ts";

type Blocking = "page" | "product" | "funnel";

interface Row {
  readonly id: string;
  readonly name: string;
}

/** By what becomes of it when the project is to go: what the API can delete is in the way, the rest stays with it. */
export interface Users {
  readonly pages: readonly Row[];
  readonly products: readonly Row[];
  readonly funnels: readonly Row[];
  readonly staying: readonly string[];
}

/** `isGone`: a list may show for a while what was deleted or retired. */
export async function usersOf(api: LandformApi, id: string, isGone: (key: ObjectKey) => boolean): Promise<Users> {
  const of = { project_id: id, limit: 100 };
  const [pages, products, sites, funnels] = await Promise.all([
    api.pages.list(of),
    api.products.list(of),
    api.sites.list(of),
    api.funnels.list(of),
  ]);
  const there = <Any extends Row>(kind: Blocking, rows: readonly Any[]): Any[] =>
    rows.filter((row) => !isGone(objectKey({ kind }, row.id)));
  const retired = funnels.filter(
    (funnel) => isRetired(funnel.name) || isGone(objectKey({ kind: "funnel" }, funnel.id)),
  );
  return {
    pages: there("page", pages),
    products: there("product", products),
    funnels: funnels.filter((funnel) => !retired.includes(funnel)),
    staying: [...named("site", sites), ...named("retired funnel", retired)],
  };
}

/** What an interrupted run of this stack left half made (STACK of its markers), and the end of a run removes. */
function isLeftoverOf(stack: string): (row: Row) => boolean {
  return ({ name }) => markerIn(name)?.startsWith(`${stack}-`) === true;
}

/** A funnel is removed by retiring it, and keeps its project. */
export function withoutLeftovers(users: Users, stack: string): Users {
  const ours = users.funnels.filter(isLeftoverOf(stack));
  const funnels = users.funnels.filter((row) => !ours.includes(row));
  return { ...users, funnels, staying: [...users.staying, ...named("funnel", ours)] };
}

export function inTheWay({ pages, products, funnels }: Users): string[] {
  return [...named("page", pages), ...named("product", products), ...named("funnel", funnels)];
}

export function listed(things: readonly string[]): string {
  const shown = things.slice(0, 10).join(", ");
  return things.length > 10 ? `${shown} and ${things.length - 10} more` : shown;
}

function named(kind: string, rows: readonly Row[]): string[] {
  return rows.map((row) => `${kind} "${row.name}" (${row.id})`);
}

/** A list may lag behind: what seems to be in the way is looked at by its id before anything is refused for it. */
export async function foreseeDeletion(
  api: LandformApi,
  { id, going, moving, stack }: PlannedDeletion,
): Promise<ForeseenDeletion> {
  const isLeftover = isLeftoverOf(stack);
  const users = withoutLeftovers(await usersOf(api, id, (key) => going.has(key)), stack);
  const refersStill = async (
    kind: Blocking,
    row: Row,
    read: Promise<{ project_id: string | null }>,
  ): Promise<Row[]> => {
    const isLeaving = moving.has(objectKey({ kind }, row.id)) || isLeftover(row);
    return (await orGone(read))?.project_id === id && !isLeaving ? [row] : [];
  };
  const [pages, products, funnels] = await Promise.all([
    Promise.all(users.pages.map((row) => refersStill("page", row, api.pages.read(row.id)))),
    Promise.all(users.products.map((row) => refersStill("product", row, api.products.read(row.id)))),
    Promise.all(users.funnels.map((row) => refersStill("funnel", row, api.funnels.read(row.id)))),
  ]);
  const blocking = inTheWay({ ...users, pages: pages.flat(), products: products.flat(), funnels: funnels.flat() });
  if (blocking.length === 0) return { refused: [], stays: users.staying.length > 0 };
  const refused =
    `it can't be deleted, since this belongs to it and stays: ${listed(blocking)}. Give them another project, or remove ` +
    `them, too; or keep the project with the option retainOnDelete, in a run before its removal`;
  return { refused: [refused], stays: false };
}
