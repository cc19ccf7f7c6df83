/** Pulumi's own history of a stack's updates, which is where the state is, whatever that place is. */
import { z } from "zod";
import type { Update } from "../types.ts";
import { type PulumiCli, PulumiCliError } from "./command.ts";

const PAGE = 100;
const MESSAGE = /^ci apply of ([0-9a-f]{40,64})$/;

const format = z.array(
  z.object({
    kind: z.string(),
    startTime: z.string(),
    message: z.string().optional(),
    result: z.string(),
    resourceChanges: z.record(z.string(), z.number()).nullish(),
  }),
);

type Entry = z.output<typeof format>[number];

/** What is noted with an update that applies what was reviewed for that commit. */
export function messageOf(reviewed: string): string {
  return `ci apply of ${reviewed}`;
}

export async function updatesSince(cli: PulumiCli, stack: string, since: Date): Promise<Update[]> {
  const found: Entry[] = [];
  for (let page = 1; ; page++) {
    const entries = await pageOf(cli, stack, page);
    found.push(...entries);
    const oldest = entries.at(-1);
    if (entries.length < PAGE || oldest === undefined || Date.parse(oldest.startTime) < since.getTime()) break;
  }
  return found.filter(hasChanged).map(updateOf);
}

async function pageOf(cli: PulumiCli, stack: string, page: number): Promise<Entry[]> {
  const args = ["stack", "history", "--json", "--stack", stack, "--page-size", String(PAGE), "--page", String(page)];
  try {
    return format.parse(JSON.parse(await cli.ask(...args)));
  } catch (error) {
    if (error instanceof PulumiCliError && error.noStack) return [];
    throw error;
  }
}

/** A failed update may have done anything. */
function hasChanged({ kind, result, resourceChanges }: Entry): boolean {
  if (kind !== "update" && kind !== "destroy") return false;
  return result !== "succeeded" || Object.entries(resourceChanges ?? {}).some(([op, n]) => !IDLE.has(op) && n > 0);
}

const IDLE: ReadonlySet<string> = new Set(["same", "read", "refresh", "discard"]);

function updateOf({ startTime, message = "" }: Entry): Update {
  const [, reviewed] = MESSAGE.exec(message) ?? [];
  return { at: new Date(startTime).toISOString(), ...(reviewed !== undefined && { reviewed }) };
}
