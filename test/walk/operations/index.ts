/** A team's operations between two applies: in the code, in the app, and with the state. */
import { isConsistent, urnOf } from "../program.ts";
import { declare, remove, rename } from "./declaring.ts";
import { mergeExport } from "./exporting.ts";
import {
  changeName,
  changeProject,
  changeSteps,
  changeTemplate,
  dropContent,
  dropField,
  setContent,
  setField,
  setVariable,
} from "./fields.ts";
import { addInApp, changeStepsInApp, deleteInApp, editContent, moveInApp, renameInApp } from "./in-app.ts";
import { changeAdoptId, replaceKept, setOption } from "./options.ts";
import { changeSite, changeSlug, rotateSlugs, togglePublish } from "./publishing.ts";
import { moveToSecond } from "./splitting.ts";
import type { Choice, Operation, World } from "./world.ts";

/** Each operation is as frequent as its number of entries here. A walk shrinks to the first one. */
const OPERATIONS: readonly Operation[] = [
  [() => undefined, ...often(4, declare), remove, changeName, ...often(2, setField), dropField],
  [...often(2, setContent), dropContent, setVariable, changeTemplate, changeSlug, ...often(2, rotateSlugs)],
  [changeSite, togglePublish, changeProject, changeSteps, ...often(2, rename), ...often(2, setOption)],
  [replaceKept, changeAdoptId, editContent, renameInApp, changeStepsInApp, moveInApp, deleteInApp, addInApp],
  [moveToSecond, mergeExport],
].flat();

function often(times: number, operation: Operation): Operation[] {
  return Array.from({ length: times }, () => operation);
}

export const OPERATION_COUNT = OPERATIONS.length;

/** Does one operation, unless the manifest would contradict itself. */
export async function operate(world: World, choice: Choice): Promise<string | undefined> {
  const before = structuredClone(world.program);
  const done = await OPERATIONS[choice.what % OPERATIONS.length]?.(world, choice);
  const { desk, stack } = world;
  const ids = new Map(desk.state(stack).map(({ urn, id }) => [urn, id]));
  if (isConsistent(world.program, (key) => ids.get(urnOf(stack, "sites", key)))) return done;
  world.program = before;
  return undefined;
}
