/**
 * Which of the branches and requests that something was made for are still there. A code host that can't say so, says so in part,
 * or is wrong about it by a moment, is never taken for one that says "closed".
 */
import type { ForgeAccess } from "../environment.ts";
import type { Asked, Forge } from "./forge.ts";
import { Github } from "./github.ts";
import { Gitlab } from "./gitlab.ts";
import { ForgeError } from "./http.ts";

/** What something was made for. */
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

/** That a list does not hold something is no proof that it is gone: it is asked for by its name, too. */
async function confirmed(forge: Forge, origin: Origin, listed: boolean): Promise<Asked<Standing>> {
  if (listed) return { answer: "open" };
  return asked(async () => {
    const there = "change" in origin ? (await forge.change(origin.change))?.open : await forge.hasBranch(origin.branch);
    return there === true ? "open" : "closed";
  });
}

/** The commit that a request is at by now, where a job that is late, or run again, is about an earlier one. */
export function movedOn(
  { head }: { readonly head: string },
  now: { readonly head: string } | undefined,
): string | undefined {
  return now === undefined || now.head.toLowerCase() === head.toLowerCase() ? undefined : now.head.slice(0, 12);
}

/** What a code host answers, or why it could not be asked. */
export async function asked<Answer>(ask: () => Promise<Answer>): Promise<Asked<Answer>> {
  try {
    return { answer: await ask() };
  } catch (error) {
    if (error instanceof ForgeError) return { unasked: error.message };
    throw error;
  }
}

async function all<Row>(rows: AsyncIterable<Row>): Promise<Row[]> {
  const list: Row[] = [];
  for await (const row of rows) list.push(row);
  return list;
}

export function openForge(access: ForgeAccess & { token: string }): Forge {
  return access.kind === "github" ? new Github(access) : new Gitlab(access);
}
