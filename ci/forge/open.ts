/** Tells which branches and requests are still open. A code host that can't tell, or lags behind, never counts as "closed". */
import type { ForgeAccess } from "../environment.ts";
import type { Asked, Forge } from "./forge.ts";
import { Github } from "./github.ts";
import { Gitlab } from "./gitlab.ts";
import { asked } from "./http.ts";

export type Origin = { readonly change: number } | { readonly branch: string };

type Standing = "open" | "closed";

/** Answers in the order of the questions. */
export async function standingsOf(forge: Forge, origins: readonly Origin[]): Promise<Asked<Standing>[]> {
  const changes = origins.some((origin) => "change" in origin) ? await asked(() => all(forge.openChanges())) : NONE;
  const branches = origins.some((origin) => "branch" in origin) ? await asked(() => all(forge.branches())) : NONE;
  const answers: Asked<Standing>[] = [];
  for (const origin of origins) {
    const listed = "change" in origin ? includes(changes, origin.change) : includes(branches, origin.branch);
    answers.push("answer" in listed ? await confirmed(forge, origin, listed.answer) : listed);
  }
  return answers;
}

const NONE = { answer: [] };

function includes<One>(list: Asked<readonly One[]>, one: One): Asked<boolean> {
  return "answer" in list ? { answer: list.answer.includes(one) } : list;
}

/** A missing entry in a list is no proof, so the code host is also asked by name. */
async function confirmed(forge: Forge, origin: Origin, listed: boolean): Promise<Asked<Standing>> {
  if (listed) return { answer: "open" };
  return asked(async () => {
    if ("branch" in origin) return (await forge.headOf(origin.branch)) === undefined ? "closed" : "open";
    return (await forge.change(origin.change))?.open === true ? "open" : "closed";
  });
}

/** Returns the request's present commit, if a late or repeated job is about an earlier one. */
export function movedOn(
  { head }: { readonly head: string },
  now: { readonly head: string } | undefined,
): string | undefined {
  return now === undefined || now.head.toLowerCase() === head.toLowerCase() ? undefined : now.head.slice(0, 12);
}

async function all<Row>(rows: AsyncIterable<Row>): Promise<Row[]> {
  const list: Row[] = [];
  for await (const row of rows) list.push(row);
  return list;
}

export function openForge(access: ForgeAccess & { token: string }): Forge {
  return access.kind === "github" ? new Github(access) : new Gitlab(access);
}
