/** Creation under every fault, for every kind that creates: never a duplicate, and the next run converges. */
import { beforeEach, describe, expect, test } from "vitest";
import type { Fault } from "../../emulator/index.ts";
import type { PropertyMap } from "../../engine/index.ts";
import type { Kind } from "../../provider/kinds/registry.ts";
import type { Entry } from "../../provider/ledger/ledger.ts";
import { identityFor, nameDigest, resourceKeyIn } from "../../provider/ledger/identity.ts";
import { byHand, factsFile, LONG, newMachine, nextRun, openWorld, ResourceTest } from "./harness.ts";
import { forAllTests } from "../suite/opened.ts";
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
const hero = { templateId: "tpl-hero", variables: { brand: "Acme" } };
const templatePage: Case = {
  kind: "page",
  post: "/pages/from-template",
  list: "/pages",
  inputs: hero,
  rename: metadata,
};
const cases: Case[] = [
  { kind: "page", post: "/pages", list: "/pages", inputs: {}, rename: metadata },
  templatePage,
  { kind: "quiz", post: "/quizzes", list: "/pages", inputs: {}, rename: metadata },
  { kind: "funnel", post: "/funnels", list: "/funnels", inputs: { steps: [] }, rename: "/funnels" },
  { kind: "product", post: "/products", list: "/products", inputs: { price: 5 }, rename: "/products" },
  {
    kind: "project",
    post: "/projects",
    list: "/projects",
    inputs: { description: LONG, context: LONG },
    rename: "/projects/{projectId}",
  },
];

const world = forAllTests(() => openWorld({}, { LANDFORM_PATIENCE_MS: "1500" }));
let count = 0;
beforeEach(() => {
  world.emulator.faults.clear();
  world.emulator.notShown.listLagMs = 0;
  world.emulator.requests.length = 0;
});

/** Makes a resource with a logical name that no other test has. */
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
  const rows = (await byHand(world, "GET", `${list}?limit=100`)) as { name: string }[];
  return rows
    .map((row) => row.name)
    .filter((found) => found.startsWith(name) && !found.endsWith("[retired by landform]"));
}

const never = (rename: string): Fault => ({
  method: "PATCH",
  path: rename,
  phase: "status",
  status: 403,
  times: Infinity,
});

describe("another process goes on", () => {
  test.each(["refresh and apply", "delete"])(
    "a twin that turns up late is removed by %s",
    { tags: ["thorough"] },
    async (way) => {
      world.emulator.notShown.listLagMs = 60_000;
      const twins = await leaveBehind();
      const elsewhere = { PULUMI_HOME: newMachine() };
      const again = async (client: ResourceTest["client"]): Promise<void> => {
        for (const { resource, inputs } of twins) await resource.handTo(client).apply(inputs);
      };
      await nextRun(world, again, elsewhere);
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
    const pending = killed.map(untold);
    const elsewhere = { PULUMI_HOME: newMachine() };
    const work = async (client: ResourceTest["client"]): Promise<void> => {
      setTimeout(() => (world.emulator.notShown.listLagMs = 0), 600);
      for (const { resource, inputs, list, name } of killed) {
        expect(await resource.handTo(client).apply(inputs)).toBe("created");
        expect(await names(list, name)).toEqual([name]);
      }
    };
    await nextRun(world, work, { LANDFORM_PATIENCE_MS: "20000", ...elsewhere, ...factsFile({ pending }) });
  });

  describe("killed after the final rename, before the state knew", () => {
    test("what the ledger names is carried on with, whatever it is called by now", async () => {
      const killed = await finishUnrecorded(cases);
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
      const killed = await finishUnrecorded(cases);
      const machine = { PULUMI_HOME: newMachine(), LANDFORM_PATIENCE_MS: "0" };
      const facts = factsFile({ pending: killed.map(untold) });
      await nextRun(
        world,
        async (client) => {
          for (const { resource, inputs, list, name, id } of killed) {
            const refusal = resource.handTo(client).up(inputs);
            await expect(refusal).rejects.toThrow(
              new RegExp(`does not know if .*${id} .*adoptId.*LANDFORM_NOT_OURS=${id}`, "s"),
            );
            expect(await names(list, name)).toEqual([name]);
            resource.state = undefined;
          }
        },
        { ...machine, ...facts },
      );
      const [first, ...others] = killed;
      await nextRun(
        world,
        async (client) => {
          if (first)
            expect(await first.resource.handTo(client).apply({ ...first.inputs, adoptId: first.id })).toBe("created");
          for (const { resource, inputs, id } of others) {
            expect(await resource.handTo(client).apply(inputs)).toBe("created");
            expect(resource.id).not.toBe(id);
          }
        },
        { ...machine, ...facts, LANDFORM_NOT_OURS: others.map(({ id }) => id).join(", ") },
      );
    });

    test("namesakes of another stack are left alone, whenever they were made", async () => {
      const killed = cases.map((one) => ({ ...one, ...fresh(one.kind) }));
      const made: { list: string; id: string; name: string }[] = [];
      for (const { list, post, name, inputs } of killed) {
        const body = { name, ...bodyOf(inputs) };
        const { id } = (await byHand(world, "POST", post, body)) as { id: string };
        made.push({ list, id, name });
      }
      const environment = factsFile({ ledger: newMachine() });
      await nextRun(
        world,
        async (client) => {
          for (const { resource, inputs } of killed) {
            expect(await resource.handTo(client).apply(inputs)).toBe("created");
            expect(made.map(({ id }) => id)).not.toContain(resource.id);
            await resource.delete();
          }
        },
        { LANDFORM_PATIENCE_MS: "0", ...environment },
      );
      for (const { list, name } of made) expect(await names(list, name)).toEqual([name]);
    });

    interface Unrecorded extends Case {
      readonly resource: ResourceTest;
      readonly name: string;
      readonly id: string;
    }

    /** The service has the finished objects, and the state has nothing. */
    async function finishUnrecorded(
      some: readonly Case[],
      client: ResourceTest["client"] = world.host.client,
    ): Promise<Unrecorded[]> {
      const finished: Unrecorded[] = [];
      for (const one of some) {
        const { resource, name } = fresh(one.kind);
        await resource.handTo(client).up(one.inputs);
        finished.push({ ...one, resource, name, id: resource.id });
        resource.state = undefined;
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
    const body = { name: "Project", description: LONG, context: LONG };
    const { id: projectId } = (await byHand(world, "POST", "/projects", body)) as { id: string };
    const within = (one: Case): PropertyMap => (one.kind === "project" ? one.inputs : { ...one.inputs, projectId });
    const begun = cases.map((one) => ({ ...one, ...fresh(one.kind), inputs: within(one) }));
    for (const rename of new Set(cases.map((one) => one.rename))) world.emulator.faults.add(never(rename));
    for (const { resource, inputs } of begun) {
      await expect(resource.up(inputs)).rejects.toThrow(/403/);
      resource.state = undefined;
    }
    world.emulator.faults.clear();
    return begun;
  }
});
