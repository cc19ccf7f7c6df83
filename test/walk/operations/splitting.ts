/** Splits a stack in two: the state of some resources moves to another stack, as with `pulumi state move`. */
import { join } from "node:path";
import { writeFileSync, readFileSync } from "node:fs";
import { entriesOf, manifestOf, type Program, urnOf } from "../program.ts";
import type { WalkDesk } from "../desk.ts";
import { GONE, type Operation, pick, type Stack } from "./world.ts";

export const moveToSecond: Operation = async (world, { a }) => {
  const { desk, program, second, byHand, stack, excuses } = world;
  if (second === undefined) return undefined;
  // Resources still need their dependencies of the last apply.
  const free = desk.state(stack).filter(({ dependencies = [] }) => dependencies.length === 0);
  const needed = new Set(desk.state(stack).flatMap(({ dependencies = [] }) => dependencies));
  const recorded = new Map(free.filter(({ urn }) => !needed.has(urn)).map(({ urn, id }) => [urn, id]));
  const found = pick(
    standingAlone(program).filter(({ section, key }) => recorded.has(urnOf(stack, section, key))),
    a,
  );
  if (found === undefined) return undefined;
  const { section, key, entry } = found;
  const urn = urnOf(stack, section, key);
  await moveState(desk, urn, manifestOf(second.program));
  Reflect.deleteProperty(program[section], key);
  second.program[section][key] = entry;
  // Their old names belong to the other stack.
  delete entry.options?.aliases;
  // The changes of this step are applied there.
  second.excuses.push(...excuses);
  const id = recorded.get(urn) ?? "";
  if (byHand.delete(id)) {
    second.byHand.add(id);
    second.excuses.push(...GONE);
  }
  return `move ${section}.${key} to the stack two`;
};

/** Returns the entries that refer to nothing, and that nothing refers to. */
function standingAlone(program: Program) {
  const steps = entriesOf(program, "funnels").flatMap(({ entry }) => entry.steps ?? []);
  return entriesOf(program, "products", "hooks", "pages", "quizzes").filter(
    ({ key, entry }) =>
      entry.project === undefined &&
      entry.publish === undefined &&
      !steps.some((step) => ("page" in step && step.page === key) || ("quiz" in step && step.quiz === key)),
  );
}

type Exported = { deployment: { resources: { urn: string; type: string; id?: string; provider?: string }[] } };

export async function moveState(desk: WalkDesk, urn: string, ofSecond: object): Promise<void> {
  if (!desk.hasStack("two")) {
    desk.declare(ofSecond);
    const made = await desk.run("up", "--yes", "--stack", "two");
    if (made.code !== 0) throw new Error(`the second stack could not be made:\n${made.printed}`);
  }
  const [from, to] = [await exported(desk, "dev"), await exported(desk, "two")];
  const isMoved = (one: { urn: string }): boolean => one.urn === urn;
  const isProvider = ({ type }: { type: string }): boolean => type.startsWith("pulumi:providers:");
  const taken = from.deployment.resources.filter(
    (one) => isMoved(one) || (isProvider(one) && !to.deployment.resources.some(isProvider)),
  );
  to.deployment.resources.push(...taken.map(inSecond).map((one) => withProviderOf(one, to)));
  from.deployment.resources = from.deployment.resources.filter((one) => !isMoved(one));
  await imported(desk, "two", to);
  await imported(desk, "dev", from);
}

/** Keeps an existing provider of that name: one that was made anew in the meantime has another id. */
function withProviderOf(resource: Exported["deployment"]["resources"][number], { deployment }: Exported) {
  const { provider } = resource;
  const urn = provider?.slice(0, provider.lastIndexOf("::"));
  const there = deployment.resources.find((one) => one.urn === urn && one.type.startsWith("pulumi:providers:"));
  return there === undefined ? resource : { ...resource, provider: `${there.urn}::${there.id ?? ""}` };
}

function inSecond<Resource extends { urn: string; type: string }>(resource: Resource): Resource {
  const text = JSON.stringify(resource).replaceAll("urn:pulumi:dev::walk::", "urn:pulumi:two::walk::");
  return JSON.parse(text.replaceAll("walk-dev", "walk-two")) as Resource;
}

async function exported(desk: WalkDesk, stack: Stack): Promise<Exported> {
  const file = join(desk.folder, `${stack}.exported.json`);
  await succeed(desk, "state", "export", "--stack", stack, "--file", file);
  return JSON.parse(readFileSync(file, "utf8")) as Exported;
}

async function imported(desk: WalkDesk, stack: Stack, state: Exported): Promise<void> {
  const file = join(desk.folder, `${stack}.exported.json`);
  writeFileSync(file, JSON.stringify(state));
  await succeed(desk, "state", "import", "--stack", stack, "--file", file);
}

async function succeed(desk: WalkDesk, ...args: string[]): Promise<void> {
  const { code, printed } = await desk.command(...args, "--engine", desk.engine);
  if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}:\n${printed}`);
}
