/** Creation under every fault, for every kind that creates: never a duplicate, and the next run converges. */
import { describe, expect, test } from "vitest";
import type { PropertyMap } from "../../engine/index.ts";
import type { Kind } from "../../provider/kinds/registry.ts";
import type { Entry } from "../../provider/ledger/ledger.ts";
import { identityFor, nameDigest, resourceKeyIn } from "../../provider/ledger/identity.ts";
import { byHand, factsFile, makeByHand, newMachine, nextRun, PROJECT, ResourceTest } from "./harness.ts";
import { HERO, runWith, worldOfAll } from "./harness.ts";
import { thorough } from "../suite/parts.ts";

interface Case {
  readonly kind: Kind;
  readonly post: string;
  readonly list: string;
  readonly inputs: PropertyMap;
  /** The call of the final rename. */
  readonly rename: string;
}

const metadata = "/pages/metadata";
const cases: Case[] = [
  { kind: "page", post: "/pages", list: "/pages", inputs: {}, rename: metadata },
  { kind: "page", post: "/pages/from-template", list: "/pages", inputs: HERO, rename: metadata },
  { kind: "quiz", post: "/quizzes", list: "/pages", inputs: {}, rename: metadata },
  { kind: "funnel", post: "/funnels", list: "/funnels", inputs: { steps: [] }, rename: "/funnels" },
  { kind: "product", post: "/products", list: "/products", inputs: { price: 5 }, rename: "/products" },
  { kind: "project", post: "/projects", list: "/projects", inputs: PROJECT, rename: "/projects/{projectId}" },
];

const world = worldOfAll({}, { LANDFORM_PATIENCE_MS: "1500" });
let count = 0;

function fresh(kind: Kind): { resource: ResourceTest; name: string } {
  const name = `once-${++count}.`;
  return { resource: new ResourceTest(world, kind, name), name };
}

/** The entry of a creation that the state reports and nobody wrote down. */
function untold({ kind, resource, name }: { kind: Kind; resource: ResourceTest; name: string }): Entry {
  const key = resourceKeyIn(identityFor(resource.urn));
  return { key, at: new Date().toISOString(), kind, name, state: "unknown", called: nameDigest(name) };
}

/** Returns the names of a resource's objects at the service, with marked ones and without retired funnels. */
async function names(list: string, name: string): Promise<string[]> {
  const rows = await byHand<{ name: string }[]>(world, "GET", `${list}?limit=100`);
  return rows
    .map((row) => row.name)
    .filter((found) => found.startsWith(name) && !found.endsWith("[retired by landform]"));
}

describe("another process goes on", () => {
  test.each(["refresh and apply", "delete"])(
    "a twin that turns up late is removed by %s",
    { tags: ["thorough"] },
    async (way) => {
      world.emulator.notShown.listLagMs = 60_000;
      const twins = await leaveBehind();
      const elsewhere = { PULUMI_HOME: newMachine() };
      await runWith(world, elsewhere, async (client) => {
        for (const { resource, inputs } of twins) await resource.handTo(client).apply(inputs);
      });
      world.emulator.notShown.listLagMs = 0;
      for (const { list, name } of twins) expect(await names(list, name)).toHaveLength(2);
      await nextRun(world, async (client) => {
        for (const { resource, inputs, list, name } of twins) {
          resource.handTo(client);
          if (way === "delete") {
            await resource.delete();
            expect(await names(list, name)).toEqual([]);
          } else {
            await resource.refresh();
            expect(await resource.apply(inputs)).toBe("updated");
            expect(await names(list, name)).toEqual([name]);
          }
        }
      });
    },
  );

  thorough("a creation that is known to be unfinished is looked for with patience, where lists lag", async () => {
    world.emulator.notShown.listLagMs = 60_000;
    const killed = await leaveBehind();
    const facts = factsFile({ pending: killed.map(untold) });
    const env = { LANDFORM_PATIENCE_MS: "20000", PULUMI_HOME: newMachine(), ...facts };
    await runWith(world, env, async (client) => {
      setTimeout(() => (world.emulator.notShown.listLagMs = 0), 600);
      for (const { resource, inputs, list, name } of killed) {
        expect(await resource.handTo(client).apply(inputs)).toBe("created");
        expect(await names(list, name)).toEqual([name]);
      }
    });
  });

  describe("killed after the final rename, before the state knew", () => {
    test("what the ledger names is carried on with, whatever it is called by now", async () => {
      const killed = await finishUnrecorded();
      const renamed = killed[0];
      if (renamed) await byHand(world, "PATCH", "/pages/metadata", { page_id: renamed.id, name: "By hand" });
      await nextRun(world, async (client) => {
        for (const { resource, inputs, list, name, id } of killed) {
          expect(await resource.handTo(client).apply(inputs)).toBe("created");
          expect(resource.id).toBe(id);
          expect(await names(list, name)).toEqual([name]);
        }
      });
    });

    test("without a record it stops, names the candidates, and does as it is told", async () => {
      const killed = await finishUnrecorded();
      const machine = { PULUMI_HOME: newMachine(), LANDFORM_PATIENCE_MS: "0" };
      const facts = factsFile({ pending: killed.map(untold) });
      await runWith(world, { ...machine, ...facts }, async (client) => {
        for (const { resource, inputs, list, name, id } of killed) {
          const refusal = new RegExp(`does not know if .*${id} .*adoptId.*LANDFORM_NOT_OURS=${id}`, "s");
          await expect(resource.handTo(client).up(inputs)).rejects.toThrow(refusal);
          expect(await names(list, name)).toEqual([name]);
          resource.state = undefined;
        }
      });
      const [first, ...others] = killed;
      const told = { ...machine, ...facts, LANDFORM_NOT_OURS: others.map(({ id }) => id).join(", ") };
      await runWith(world, told, async (client) => {
        if (first)
          expect(await first.resource.handTo(client).apply({ ...first.inputs, adoptId: first.id })).toBe("created");
        for (const { resource, inputs, id } of others) {
          expect(await resource.handTo(client).apply(inputs)).toBe("created");
          expect(resource.id).not.toBe(id);
        }
      });
    });

    test("namesakes of another stack are left alone, whenever they were made", async () => {
      const killed = cases.map((one) => ({ ...one, ...fresh(one.kind) }));
      const made: string[] = [];
      for (const { post, name, inputs } of killed)
        made.push(await makeByHand(world, post, { name, ...bodyOf(inputs) }));
      const env = { LANDFORM_PATIENCE_MS: "0", ...factsFile({ ledger: newMachine() }) };
      await runWith(world, env, async (client) => {
        for (const { resource, inputs } of killed) {
          expect(await resource.handTo(client).apply(inputs)).toBe("created");
          expect(made).not.toContain(resource.id);
          await resource.delete();
        }
      });
      for (const { list, name } of killed) expect(await names(list, name)).toEqual([name]);
    });

    /** The service has the finished objects, and the state has nothing. */
    async function finishUnrecorded() {
      const finished = cases.map((one) => ({ ...one, ...fresh(one.kind), id: "" }));
      for (const one of finished) {
        await one.resource.up(one.inputs);
        one.id = one.resource.id;
        one.resource.state = undefined;
      }
      return finished;
    }

    /** Returns the inputs as the service takes them, as far as these tests need. */
    function bodyOf({ templateId, price, steps, description, context }: PropertyMap): object {
      return { template_id: templateId, price, pages: steps, description, context };
    }
  });

  /** Plays a killed run: the service has the objects under their markers, and the state has nothing. */
  async function leaveBehind() {
    // A project of its own, so that it adopts no funnel that an earlier test retired.
    const projectId = await makeByHand(world, "/projects", { name: "Project", ...PROJECT });
    const within = (one: Case): PropertyMap => (one.kind === "project" ? one.inputs : { ...one.inputs, projectId });
    const begun = cases.map((one) => ({ ...one, ...fresh(one.kind), inputs: within(one) }));
    for (const path of new Set(cases.map(({ rename }) => rename)))
      world.emulator.faults.add({ method: "PATCH", path, phase: "status", status: 403, times: Infinity });
    for (const { resource, inputs } of begun) {
      await expect(resource.up(inputs)).rejects.toThrow(/403/);
      resource.state = undefined;
    }
    world.emulator.faults.clear();
    return begun;
  }
});
