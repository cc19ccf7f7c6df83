/** Every call of every operation fails once, in three ways: the object is kept, the next apply finishes, and there is never a second one. */
import { beforeAll, describe, expect, test } from "vitest";
import type { Fault } from "../../emulator/index.ts";
import type { PropertyMap } from "../../engine/index.ts";
import { calls, nextRun, ResourceTest, worldOfAll } from "./harness.ts";
import { countOf, examplesIn, inputsFor, type Example, type ExampleName } from "./kinds.ts";
import { refreshPlansNothing, unique } from "./table.ts";

const world = worldOfAll({}, { LANDFORM_PATIENCE_MS: "300" });
let examples: Record<ExampleName, Example>;
beforeAll(async () => {
  examples = await examplesIn(world);
});

const ways: [string, Fault][] = [
  ["is refused with 403", { phase: "status", status: 403 }],
  ["is cut off before it is carried out", { phase: "before" }],
  ["is carried out, and its answer is lost", { phase: "after" }],
];
const kinds: ExampleName[] = ["project", "page", "copy", "quiz", "funnel", "product"];

/** Runs an `up` that fails. It may leave the resource in the state, with its id, or leave nothing. */
async function failing(resource: ResourceTest, inputs: PropertyMap, fault: Fault): Promise<boolean> {
  world.emulator.faults.add(fault);
  const struck = await resource.up(inputs).then(
    () => false,
    () => true,
  );
  world.emulator.faults.clear();
  return struck;
}

/** Counts the calls of an operation without failures. */
async function callsOf(work: () => Promise<unknown>): Promise<number> {
  calls(world);
  await work();
  return world.emulator.requests.length;
}

function changed(name: ExampleName, logical: string): PropertyMap {
  const { other } = examples[name];
  return { ...inputsFor(examples[name], logical), ...other, name: `${logical} new` };
}

test("killed at each call up to the one that takes the marker away: another process carries on", async () => {
  const left: { name: ExampleName; logical: string; resource: ResourceTest; inputs: PropertyMap }[] = [];
  for (const name of kinds) {
    const begin = (): (typeof left)[number] => {
      const logical = unique(`killed-${name}`);
      const resource = new ResourceTest(world, examples[name].kind, logical);
      return { name, logical, resource, inputs: inputsFor(examples[name], logical) };
    };
    // The first resource of a kind also looks for remains, which the others don't need.
    for (const plain of [begin(), begin()]) {
      calls(world);
      await plain.resource.up(plain.inputs);
    }
    const last = world.emulator.requests.findLastIndex(({ method }) => method === "PATCH");
    for (let skip = 0; skip <= last; skip++) {
      const one = begin();
      await failing(one.resource, one.inputs, { phase: "status", status: 403, skip, times: Infinity });
      one.resource.state = undefined;
      left.push(one);
    }
  }
  await nextRun(world, async (client) => {
    for (const { name, logical, resource, inputs } of left) {
      expect(await resource.handTo(client).apply(inputs)).toBe("created");
      expect(await countOf(world, examples[name], logical), logical).toBe(1);
    }
  });
});

describe.each(kinds)("%s", (name) => {
  test.each(ways)("creation where a call %s", { tags: ["thorough"] }, async (_, fault) => {
    const make = (): { resource: ResourceTest; logical: string; inputs: PropertyMap } => {
      const logical = unique(`made-${name}`);
      const resource = new ResourceTest(world, examples[name].kind, logical);
      return { resource, logical, inputs: inputsFor(examples[name], logical) };
    };
    const plain = make();
    const total = await callsOf(() => plain.resource.up(plain.inputs));
    for (let skip = 0; skip < total; skip++) {
      const { resource, logical, inputs } = make();
      const struck = await failing(resource, inputs, { ...fault, skip });
      if (resource.state) expect(resource.id).not.toBe("");
      await resource.apply(inputs);
      expect(await countOf(world, examples[name], logical), `call ${skip + 1}, failed: ${struck}`).toBe(1);
      await refreshPlansNothing(resource, inputs);
    }
  });

  test.each(ways)("an update where a call %s", { tags: ["thorough"] }, async (_, fault) => {
    const make = async (): Promise<{ resource: ResourceTest; logical: string }> => {
      const logical = unique(`changed-${name}`);
      const resource = new ResourceTest(world, examples[name].kind, logical);
      await resource.up(inputsFor(examples[name], logical));
      return { resource, logical };
    };
    const plain = await make();
    const total = await callsOf(() => plain.resource.up(changed(name, plain.logical)));
    for (let skip = 0; skip < total; skip++) {
      const { resource, logical } = await make();
      const { id } = resource;
      await failing(resource, changed(name, logical), { ...fault, skip });
      expect(resource.id).toBe(id);
      await resource.apply(changed(name, logical));
      expect(await countOf(world, examples[name], `${logical} new`), `call ${skip + 1}`).toBe(1);
      expect(await countOf(world, examples[name], logical)).toBe(0);
      await refreshPlansNothing(resource, changed(name, logical));
    }
  });

  test.each(ways)("a deletion where a call %s", { tags: ["thorough"] }, async (_, fault) => {
    const make = async (): Promise<{ resource: ResourceTest; logical: string }> => {
      const logical = unique(`deleted-${name}`);
      const resource = new ResourceTest(world, examples[name].kind, logical);
      await resource.up(inputsFor(examples[name], logical));
      return { resource, logical };
    };
    const plain = await make();
    const total = await callsOf(() => plain.resource.delete());
    for (let skip = 0; skip < total; skip++) {
      const { resource, logical } = await make();
      world.emulator.faults.add({ ...fault, skip });
      await resource.delete().catch(() => undefined);
      world.emulator.faults.clear();
      if (resource.state) await resource.delete();
      expect(await countOf(world, examples[name], logical), `call ${skip + 1}`).toBe(0);
    }
  });
});
