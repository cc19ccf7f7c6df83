/** What creations of a plan take over instead of making something new, where the account can tell. Reads alone. */
import type { LandformApi } from "../../provider/api/index.ts";
import type { TakenOver } from "../../provider/definition/foresight.ts";
import { definitionOf } from "../../provider/kinds/registry.ts";
import type { Change } from "../report/model.ts";
import { known } from "../report/values.ts";
import type { Unheard } from "./planned.ts";

export interface Found {
  readonly change: Change;
  readonly kind: string;
  /** Undefined where something new is made, or nobody can tell. */
  readonly id: string | undefined;
  /** Of one that is found by its name. */
  readonly named?: TakenOver;
}

export async function objectsTakenOver(
  api: LandformApi,
  changes: readonly Change[],
  unheard: Unheard,
): Promise<Found[]> {
  const found = changes.map(async (change): Promise<Found[]> => {
    const { kind, plan } = definitionOf(change.type) ?? {};
    if (kind === undefined || change.op === "update" || change.op === "delete") return [];
    const [adopted, name] = [known(newOf(change, "adoptId")), nameOf(change)];
    if (change.op !== "create" || typeof name !== "string")
      return [{ change, kind, id: typeof adopted === "string" ? adopted : undefined }];
    const named = await plan?.takesOver?.(api, name).catch(unheard.note);
    return [{ change, kind, id: named?.id, ...(named && { named }) }];
  });
  return (await Promise.all(found)).flat();
}

/** By kind, one for each that is planned. */
export function idsTakenOver(found: readonly Found[]): Map<string, (string | undefined)[]> {
  const groups = Map.groupBy(found, ({ kind }) => kind);
  return new Map([...groups].map(([kind, all]) => [kind, all.map(({ id }) => id)]));
}

/** Planned as new, and made by nobody. */
export function reusedByName(found: readonly Found[]): string[] {
  return found.flatMap(({ change, kind, named }) => {
    if (named === undefined) return [];
    const { type, name } = change;
    const project = newOf(change, "projectId");
    const moves = project !== undefined && named.project !== null && project !== named.project;
    const stays = moves ? `, and stays in project ${named.project}: the API can't move it` : "";
    return [`${type} ${name}: takes over ${kind} ${named.id}, which has that name already${stays}`];
  });
}

/** Undefined where nobody can tell it yet. */
function nameOf(change: Change): Change["fields"][number]["new"] {
  const named = newOf(change, "name");
  return named === undefined ? change.name : known(named);
}

function newOf({ fields }: Change, field: string): Change["fields"][number]["new"] {
  return fields.find(({ path }) => path.join() === field)?.new;
}
