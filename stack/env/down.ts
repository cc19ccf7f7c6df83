/** Takes an environment down from its state alone, in the order that the API accepts, and repeats deletions as often as needed. */
import { type ExitCode, exitCodes, RefusedError, UsageError } from "../exit/codes.ts";
import { StackSession } from "../run/session.ts";
import { openProject, type ProjectFolder } from "../project/open.ts";
import type { Report } from "../report/model.ts";
import { withStacks } from "../stacks/stacks.ts";
import { readStack, type ReadStack, withSettingsOf } from "./base.ts";
import { type EnvironmentRecord, recordIn } from "./record.ts";
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
  teller.line(`${why[0]?.toUpperCase() ?? ""}${why.slice(1)}.`);
  return { code: exitCodes.done, name, environment: undefined, report: undefined, why, left: [] };
}

function noName(name: string): UsageError {
  return new UsageError(`"${name}" is no environment, such as pr-12`, {
    advice: [{ command: "env list", arguments: [], reason: "shows those that there are." }],
  });
}

/** Refuses a stack whose name is like an environment's but that is none. It belongs to somebody. */
function refuseOthers({ name, resources, environment }: ReadStack): void {
  const others = resources.filter(({ type }) => !/^pulumi:(pulumi:Stack|providers:)/.test(type));
  if (environment === undefined && !isEnvironmentName(name)) throw noName(name);
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
  const result: Torn = { environment: undefined, report: undefined, hasRun: false };
  const session = { ...options, stack: name, target: [] };
  const code = await StackSession.with(session, (opened) => tear(opened, options, result, hands), {
    runs: false,
    teller: hands.teller,
  });
  const { environment, report, hasRun, passed } = result;
  const { line, fault } = hands.teller;
  if (passed === true) {
    line(`${name} was brought up again meanwhile, and stays.`);
    return { code, name, environment, report, passed, left: [] };
  }
  const left = (hasRun ? (report?.failures ?? []) : []).flatMap(leftBy);
  for (const one of left) fault(`left behind: ${one.type} ${one.name}: ${one.why}`);
  if (code === exitCodes.done) await forget(options, folder, name);
  if (code === exitCodes.done) line(`${name} is gone.`);
  return { code, name, environment, report, left };
}

interface Torn {
  environment: EnvironmentRecord | undefined;
  report: Report | undefined;
  hasRun: boolean;
  passed?: true;
}

/** Reads the state once nobody else can change it. */
async function tear(session: StackSession, options: DownOptions, result: Torn, { carryOut }: Hands): Promise<ExitCode> {
  await session.hold();
  const records = (await session.engine.records()) ?? [];
  const record = recordIn(records);
  result.environment = record;
  if (options.isDue && !(await options.isDue({ condition: conditionOf(records, record, new Date()), record }))) {
    result.passed = true;
    return exitCodes.done;
  }
  const ended = await carryOut(session, { kind: "env down", ...(options.yes && { yes: true }) });
  if (ended.error !== undefined) throw ended.error;
  result.report = session.said(ended.report);
  result.hasRun = ended.hasRun === true;
  return ended.exit;
}

function leftBy({ urn, message }: Report["failures"][number]): LeftBehind[] {
  if (urn === undefined) return [];
  const [type = "", name = ""] = urn.split("::").slice(-2);
  return [{ type: type.slice(type.lastIndexOf(":") + 1), name, why: message }];
}

/** Removes the stack with its history and its ledger. If somebody has brought it up again meanwhile, it stays. */
async function forget(options: DownOptions, folder: ProjectFolder, name: string): Promise<void> {
  await withStacks(options.engine, folder, (stacks) => stacks.remove(name, { force: false }));
}
