/** A plan in a file: what was reviewed, and the state that it was made for. */
import { z } from "zod";
import { formatPath, nameOf, typeOf } from "../../engine/index.ts";
import { differences } from "../engines/digests.ts";
import type { RunRequest } from "../engines/types.ts";
import { RefusedError, UsageError } from "../exit/codes.ts";
import { readNamed } from "../output/files.ts";
import type { Report } from "../report/model.ts";
import { shortName } from "../report/steps.ts";
import type { StackSession } from "./session.ts";

const format = z.object({
  landformPlan: z.literal(1),
  engine: z.enum(["embedded", "pulumi"]),
  project: z.string(),
  stack: z.string(),
  targets: z.array(z.string()),
  /** By URN, digests of the state; absent where the backend doesn't let it be read. */
  state: z.record(z.string(), z.string()).optional(),
  plan: z.unknown(),
});
export type SavedPlan = z.output<typeof format>;

export async function savedPlan({ engine, folder, options }: StackSession, plan: unknown): Promise<SavedPlan> {
  const state = await engine.stateDigests();
  return {
    landformPlan: 1,
    engine: engine.name,
    project: folder.project.name,
    stack: folder.stack,
    targets: options.target,
    ...(state === undefined ? {} : { state }),
    plan,
  };
}

export function readPlan(file: string): SavedPlan {
  const { data, error } = format.safeParse(parsed(file));
  if (data) return data;
  const where = error.issues[0]?.path.join(".") ?? "";
  throw new UsageError(`${file} is not a saved plan (${where}): make one with \`landform preview --save ${file}\``);
}

function parsed(file: string): unknown {
  try {
    return JSON.parse(readNamed(file, "--plan"));
  } catch (error) {
    if (error instanceof SyntaxError) throw new UsageError(`${file} is not a saved plan: ${error.message}`);
    throw error;
  }
}

/** Refuses a plan that was made for something else, or for a state that is no longer. */
export async function checkPlan(saved: SavedPlan, { engine, folder, options }: StackSession): Promise<void> {
  const wanted = { engine: engine.name, project: folder.project.name, stack: folder.stack };
  for (const [what, value] of Object.entries(wanted)) {
    const planned = saved[what as keyof typeof wanted];
    if (planned !== value) throw new RefusedError(`the plan was made for the ${what} ${planned}, and this is ${value}`);
  }
  if (saved.targets.join("\n") !== options.target.join("\n"))
    throw new RefusedError("the plan was made for other targets; give the same --target");
  const changed = differences(saved.state ?? {}, (await engine.stateDigests()) ?? {});
  if (changed.length === 0) return;
  throw new RefusedError(
    `the stack has changed since the plan was made (${named(changed)}), so what was reviewed is not what would be done. ${AGAIN}`,
  );
}

/** Refuses where the program plans something else than what was reviewed. */
export async function checkSamePlan(saved: SavedPlan, plan: unknown, { engine }: StackSession): Promise<void> {
  const changed = await engine.planDifference(plan, saved.plan);
  if (changed.length === 0) return;
  throw new RefusedError(`the program no longer plans what was reviewed (${named(changed)}). ${AGAIN}`);
}

/**
 * Refuses where somebody has meanwhile changed by hand what the plan is to change: whoever reviewed it has seen another
 * value. Other hand edits are left alone by an update, and are drift. A report that is given back tells why nobody knows.
 */
export async function refuseHandEdits(session: StackSession, plan: Report): Promise<Report | undefined> {
  const updates = new Map(plan.changes.filter(({ op }) => op === "update").map((change) => [change.urn, change]));
  if (updates.size === 0) return undefined;
  const request: RunRequest = { kind: "refresh", dryRun: true, targets: [...updates.keys()] };
  const { report } = await session.run("refresh", request, { quiet: true });
  if (report.result !== "succeeded") return report;
  const edits = report.changes.flatMap(({ urn, type, name, op, fields }) => {
    const planned = new Set(updates.get(urn)?.fields.map(({ path }) => formatPath(path)));
    if (op === "delete") return [`${type} ${name} (gone)`];
    const both = fields.map(({ path }) => formatPath(path)).filter((path) => planned.has(path));
    return both.length > 0 ? [`${type} ${name}: ${both.join(", ")}`] : [];
  });
  if (edits.length === 0) return undefined;
  throw new RefusedError(
    `what the plan is to change was changed by hand since the last run (${edits.join("; ")}), and would be overwritten. ${AGAIN}, with --refresh`,
  );
}

const AGAIN = "Nothing was sent. Preview again and review the new plan";
const MOST_NAMED = 8;

function named(urns: readonly string[]): string {
  const names = urns.slice(0, MOST_NAMED).map((urn) => `${shortName(typeOf(urn))} ${nameOf(urn)}`);
  const more = urns.length - names.length;
  return `${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
