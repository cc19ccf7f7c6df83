/** Takes an environment down from its state alone, in the order that the API accepts, and repeats deletions as often as needed. */
import { type ExitCode, exitCodes, RefusedError, UsageError } from "../exit/codes.ts";
import { StackSession } from "../run/session.ts";
import { openProject, type ProjectFolder } from "../project/open.ts";
import type { Report } from "../report/model.ts";
import { withStacks } from "../stacks/stacks.ts";
import { readStack, type ReadStack, withSettingsOf } from "./base.ts";
import { recordIn } from "./record.ts";
import { conditionOf } from "./list.ts";
import { checkoutIn } from "../../provider/preview/checkout.ts";
import { isEnvironmentName } from "../../provider/definition/in-preview.ts";
import {
  type DownOptions,
  type EnvironmentDown,
  type Hands,
  type LeftBehind,
  namedOr,
  refuseOtherRepository,
} from "./types.ts";

export async function takeDown(options: DownOptions, hands: Hands): Promise<EnvironmentDown> {
  const name = namedOr(options);
  // The program isn't run, so it may be wrong or have changed.
  const folder = await openProject(options.C, { runs: false });
  const stack = await withStacks(options.engine, folder, async (stacks) => {
    const isThere = (await stacks.list()).some((one) => one.name === name);
    return isThere ? readStack(stacks, name) : undefined;
  });
  if (stack === undefined) return notThere(name, hands);
  refuseOthers(stack);
  // A person who names the environment has looked at it.
  if (options.name === undefined) refuseOtherRepository(stack.environment, checkoutIn(folder.root).repository);
  return withSettingsOf(folder, stack.environment?.base, name, () => torn(options, folder, stack, hands));
}

function notThere(name: string, { teller }: Hands): EnvironmentDown {
  // A clean-up job that names the branch instead of the environment would never remove it.
  if (!isEnvironmentName(name))
    throw new UsageError(`there is no environment ${name}. For a branch, write --branch ${name}`);
  const why = `there is no environment ${name}`;
  teller.line(`There is no environment ${name}.`);
  return { code: exitCodes.done, name, environment: undefined, report: undefined, why, left: [] };
}

/** Refuses a stack whose name is like an environment's but that is none. It belongs to somebody. */
function refuseOthers({ name, resources, environment }: ReadStack): void {
  const others = resources.filter(({ type }) => !/^pulumi:(pulumi:Stack|providers:)/.test(type));
  if (environment === undefined && !isEnvironmentName(name))
    throw new UsageError(`"${name}" is no environment, such as pr-12`, {
      advice: [{ command: "env list", arguments: [], reason: "shows those that there are." }],
    });
  if (environment !== undefined || others.length === 0) return;
  throw new RefusedError(
    `the stack ${name} has resources and no record of an environment, so it is no preview, and nothing was removed`,
    { advice: [{ command: "destroy", arguments: ["--stack", name], reason: "takes it away." }] },
  );
}

async function torn(
  options: DownOptions,
  folder: ProjectFolder,
  { name }: ReadStack,
  hands: Hands,
): Promise<EnvironmentDown> {
  const session = { ...options, stack: name, target: [] };
  const opening = { runs: false, teller: hands.teller };
  const { exit: code, ...end } = await StackSession.with(session, (opened) => tear(opened, options, hands), opening);
  const { line, fault } = hands.teller;
  for (const one of end.left) fault(`left behind: ${one.type} ${one.name}: ${one.why}`);
  if (end.passed === true) line(`${name} was brought up again meanwhile, and stays.`);
  else if (code === exitCodes.done) {
    // The stack goes with its history and its ledger. If somebody has brought it up again meanwhile, it stays.
    await withStacks(options.engine, folder, (stacks) => stacks.remove(name, { force: false }));
    line(`${name} is gone.`);
  }
  return { code, name, ...end };
}

type Torn = Omit<EnvironmentDown, "code" | "name"> & { readonly exit: ExitCode };

/** Reads the state once nobody else can change it. */
async function tear(session: StackSession, options: DownOptions, { carryOut }: Hands): Promise<Torn> {
  await session.hold();
  const records = (await session.engine.records()) ?? [];
  const record = recordIn(records);
  if (options.isDue && !(await options.isDue({ condition: conditionOf(records, record, new Date()), record })))
    return { exit: exitCodes.done, environment: record, report: undefined, passed: true, left: [] };
  const { error, exit, hasRun, ...ended } = await carryOut(session, {
    kind: "env down",
    ...(options.yes && { yes: true }),
  });
  if (error !== undefined) throw error;
  const report = session.said(ended.report);
  return { exit, environment: record, report, left: hasRun === true ? report.failures.flatMap(leftBy) : [] };
}

function leftBy({ urn, message }: Report["failures"][number]): LeftBehind[] {
  if (urn === undefined) return [];
  const [type = "", name = ""] = urn.split("::").slice(-2);
  return [{ type: type.slice(type.lastIndexOf(":") + 1), name, why: message }];
}
