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

function posts(path: string): number {
  return world.emulator.requests.filter((request) => request.method === "POST" && request.path === path).length;
}

const never = (rename: string): Fault => ({
  method: "PATCH",
  path: rename,
  phase: "status",
  status: 403,
  times: Infinity,
});

describe.each(cases)("$kind by POST $post", ({ kind, post, list, inputs, rename }) => {
  const lost: [string, Omit<Fault, "path">][] = [
    ["the answer is lost after the commit", { phase: "after" }],
    ["the answer is cut off", { phase: "truncate" }],
    ["an HTML page comes in place of the answer, after the commit", { phase: "html", commit: true }],
    ["500 after the commit", { phase: "status", status: 500, commit: true }],
  ];

  test.each(lost)("%s: the object is found again", async (_, fault) => {
    const { resource, name } = fresh(kind);
    world.emulator.faults.add({ method: "POST", path: post, ...fault });
    expect(await resource.apply(inputs)).toBe("created");
    expect(posts(post)).toBe(1);
    expect(await names(list, name)).toEqual([name]);
  });

  thorough("lists lag while the answer is lost: looked for with patience", async () => {
    world.emulator.notShown.listLagMs = 500;
    const { resource, name } = fresh(kind);
    world.emulator.faults.add({ method: "POST", path: post, phase: "after" });
    expect(await resource.apply(inputs)).toBe("created");
    expect(posts(post)).toBe(1);
    world.emulator.notShown.listLagMs = 0;
    expect(await names(list, name)).toEqual([name]);
  });

  test("429 is waited out", async () => {
    const { resource, name } = fresh(kind);
    world.emulator.faults.add({ method: "POST", path: post, phase: "status", status: 429, retryAfter: "0" });
    expect(await resource.apply(inputs)).toBe("created");
    expect(await names(list, name)).toEqual([name]);
  });

  thorough("the final rename fails: the id is kept, and the next apply finishes", async () => {
    const { resource, name } = fresh(kind);
    world.emulator.faults.add({ ...never(rename), times: 1 });
    await expect(resource.up(inputs)).rejects.toThrow(/403/);
    expect(resource.id).not.toBe("");
    expect(await resource.apply(inputs)).toBe("updated");
    expect(await names(list, name)).toEqual([name]);
  });
});

describe("another process goes on", () => {
  thorough("the connection broke before the commit: one POST, a clear error, and the next run creates", async () => {
    const begun = cases.map((one) => ({ ...one, ...fresh(one.kind) }));
    for (const { post } of cases) world.emulator.faults.add({ method: "POST", path: post, phase: "before" });
    const failures = begun.map(({ resource, inputs }) =>
      expect(resource.up(inputs)).rejects.toThrow(
        /^Landform does not know if the service created .*: .*\. Run the command again/,
      ),
    );
    await Promise.all(failures);
    expect(begun.map(({ post }) => posts(post))).toEqual(begun.map(() => 1));
    await nextRun(world, async (client) => {
      for (const { resource, inputs, list, name } of begun) {
        expect(await resource.handTo(client).apply(inputs)).toBe("created");
        expect(await names(list, name)).toEqual([name]);
      }
    });
  });

  test("killed after the commit, before the state knew: the object is carried on with", async () => {
    const killed = await leaveBehind();
    await nextRun(world, async (client) => {
      for (const { resource, inputs, list, name } of killed) {
        expect(await resource.handTo(client).apply(inputs)).toBe("created");
        expect(await names(list, name)).toEqual([name]);
      }
    });
  });

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

    thorough("another machine that has the state has the record beside it", async () => {
      const folder = newMachine();
      const killed: Unrecorded[] = [];
      await nextRun(world, async (client) => void killed.push(...(await finishUnrecorded(cases, client))), {
        PULUMI_HOME: newMachine(),
        ...factsFile({ ledger: folder }),
      });
      const environment = { PULUMI_HOME: newMachine(), ...factsFile({ ledger: folder }) };
      await nextRun(
        world,
        async (client) => {
          for (const { resource, inputs, list, name, id } of killed) {
            expect(await resource.handTo(client).apply(inputs)).toBe("created");
            expect(resource.id).toBe(id);
            expect(await names(list, name)).toEqual([name]);
          }
        },
        environment,
      );
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

    thorough("two resources of one display name each get an object of their own", async () => {
      const twins = [fresh("page"), fresh("page")].map((one) => ({ ...one, inputs: { name: "Same" } }));
      const environment = factsFile({ ledger: newMachine() });
      await nextRun(
        world,
        async (client) => {
          for (const { resource, inputs } of twins) expect(await resource.handTo(client).apply(inputs)).toBe("created");
        },
        { LANDFORM_PATIENCE_MS: "0", ...environment },
      );
      expect(new Set(twins.map(({ resource }) => resource.id)).size).toBe(2);
    });

    thorough("a page whose variables can't be read back is the same one when they change", async () => {
      const [page] = await finishUnrecorded([templatePage]);
      if (!page) throw new Error("nothing was made");
      await nextRun(world, async (client) => {
        const { resource, inputs, list, name, id } = page;
        expect(await resource.handTo(client).apply(inputs)).toBe("created");
        expect(resource.id).toBe(id);
        expect(await resource.apply({ ...inputs, variables: { brand: "Other" } })).toBe("updated");
        expect(resource.id).toBe(id);
        expect(await names(list, name)).toEqual([name]);
      });
    });

    thorough("what was finished from other inputs stays, and is told", async () => {
      const [page] = await finishUnrecorded([templatePage]);
      if (!page) throw new Error("nothing was made");
      await nextRun(world, async (client, printed) => {
        const { resource, id } = page;
        expect(await resource.handTo(client).apply({})).toBe("created");
        expect(resource.id).not.toBe(id);
        expect(printed.join("\n")).toContain(`made page ${id} from other inputs than these`);
      });
      await nextRun(world, async (client) => {
        const { resource } = page;
        const { id } = resource;
        expect(await resource.handTo(client).apply({})).toBe("same");
        expect(await resource.apply(hero)).toBe("replaced");
        expect(resource.id).not.toBe(id);
      });
    });

    thorough("what the state holds is crossed out: a later creation makes a new one", async () => {
      const made = cases.map((one) => ({ ...one, ...fresh(one.kind) }));
      for (const { resource, inputs } of made) await resource.apply(inputs);
      const ids = made.map(({ resource }) => resource.id);
      for (const { resource } of made) resource.state = undefined;
      await nextRun(world, async (client) => {
        for (const [index, { resource, inputs }] of made.entries()) {
          expect(await resource.handTo(client).apply(inputs)).toBe("created");
          expect(resource.id).not.toBe(ids[index]);
        }
      });
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
