// @module-tag repeated
/**
 * People and machines at once: two stacks with equal names, one of which wants the other's path, and a person who edits, renames, deletes and
 * publishes in the app, call by call in any order. The oracle knows who made each object. No run touches another's object, and once the others are
 * quiet each stack gets what its program says, once.
 */
import fc from "fast-check";
import { beforeAll, expect, test, vi } from "vitest";
import { startEmulator } from "../../emulator/index.ts";
import { rounds } from "../suite/parts.ts";
import { inTurns, Party } from "./party.ts";
import { prepare, type Ground } from "./scenarios.ts";
import { Stack, type Declared, type Ran } from "./stack.ts";
import { forAllTests } from "../suite/opened.ts";

vi.mock("node:timers/promises", async () => ({ setTimeout: (await import("./clock.ts")).sleep }));

const RUNS = rounds({ quick: 4, all: 12, soak: 400 });

const TIMEOUT = { timeout: 3_600_000 };

const emulator = forAllTests(() => startEmulator());
let ground: Ground;
beforeAll(async () => {
  ground = await prepare(emulator);
});

function program(slug: string, version: number): Declared[] {
  const { projectId, siteId } = ground;
  return [
    {
      kind: "page",
      name: "Shared",
      inputs: {
        projectId,
        templateId: "tpl-hero",
        variables: { brand: "Acme", product_count: "12" },
        content: { "hero.title": `Title ${version}` },
        tags: [`v${version}`],
        publish: { siteId, slug },
      },
    },
    { kind: "quiz", name: "Same", inputs: { projectId, tags: [`v${version}`] } },
    { kind: "product", name: "Jug", inputs: { projectId, price: 5 + version } },
  ];
}

const action = fc.record({
  what: fc.constantFrom("edit", "rename", "delete", "publish", "edit product", "delete product", "make a namesake"),
  which: fc.nat(5),
});
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

async function call({ service }: Party, method: string, path: string, body?: object): Promise<unknown> {
  const headers = { authorization: `Bearer ${service.apiKey}`, "content-type": "application/json" };
  return (await fetch(service.baseUrl + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })).json();
}

/** A person in the app, who finds objects and acts on them. Refusals are allowed. */
async function person(party: Party, actions: readonly Action[]): Promise<void> {
  for (const { what, which } of actions) {
    if (what === "make a namesake") {
      await call(party, "POST", "/pages", { name: "Shared", project_id: ground.projectId });
      continue;
    }
    const isProduct = what.endsWith("product");
    const list = isProduct ? "/search/products?query=Jug" : "/search/pages?query=Shared";
    const rows = (await call(party, "GET", list)) as { id: string }[];
    const id = rows[which % Math.max(rows.length, 1)]?.id;
    if (id === undefined) continue;
    const page_id = id;
    if (what === "edit") await call(party, "PATCH", "/pages/content", { page_id, updates: { "hero.text": "By hand" } });
    if (what === "rename") await call(party, "PATCH", "/pages/metadata", { page_id, name: "Renamed" });
    if (what === "publish")
      await call(party, "POST", "/pages/publish", { page_id, site_id: ground.siteId, slug: `by-hand-${which}` });
    if (what === "edit product") await call(party, "PATCH", "/products", { product_id: id, description: "By hand" });
    if (what === "delete" || what === "delete product")
      await call(party, "DELETE", isProduct ? `/products/${id}` : `/pages/${id}`);
  }
}

/** Runs with a refresh until one finds nothing to do. */
async function settle(stack: Stack, party: Party, declared: readonly Declared[]): Promise<Ran> {
  stack.foreignEdits = "include";
  for (let left = 5; ; left--) {
    await stack.refresh(party.service);
    const ran = await stack.up(party.service, declared);
    if (left === 0 || (ran.error === undefined && ran.steps.length === 0)) return ran;
  }
}

const existing = (): string[] =>
  Object.entries(emulator.records()).flatMap(([kind, records]) =>
    ["pages", "products"].includes(kind) ? records.map(({ id }) => id) : [],
  );

/** Checks that only objects in the stack's state are left of those that it made. */
function expectNoLeftovers(party: Party, stack: Stack): void {
  const left = existing().filter((id) => party.made.has(id) && !stack.ids.includes(id));
  expect(left, `${party.name} left behind`).toEqual([]);
}

async function cleanUp(parties: readonly Party[], stacks: readonly [Stack, Party][]): Promise<void> {
  for (const [stack, party] of stacks) {
    await stack.refresh(party.service);
    expect((await stack.destroy(party.service)).error?.message).toBeUndefined();
    expectNoLeftovers(party, stack);
    stack.close();
  }
  for (const party of parties) {
    for (const id of existing().filter((one) => party.made.has(one)))
      await call(party, "DELETE", id.startsWith("prod") ? `/products/${id}` : `/pages/${id}`);
    party.close();
  }
}

test("a stack and somebody in the app: nothing of theirs is touched, and in the end the program holds", TIMEOUT, () => {
  const actions = fc.array(action, { minLength: 2, maxLength: 6 });
  const during = fc.constantFrom("create", "update");
  const property = fc.asyncProperty(fc.scheduler(), actions, during, async (scheduler, actions, during) => {
    const [dev, app] = [await Party.open("dev", emulator), await Party.open("app", emulator)];
    const stack = new Stack("dev");
    if (during === "update") expect((await stack.up(dev.service, program("own", 1))).error).toBeUndefined();
    for (const party of [dev, app]) party.waitFor(scheduler);
    await inTurns(scheduler, [stack.up(dev.service, program("own", 2)), person(app, actions)]);
    for (const party of [dev, app]) party.goOn();
    const { error, steps } = await settle(stack, dev, program("own", 2));
    expect([error?.message, steps]).toEqual([undefined, []]);
    expect(dev.trespasses).toEqual([]);
    expectNoLeftovers(dev, stack);
    await cleanUp([dev, app], [[stack, dev]]);
  });
  return fc.assert(property, { numRuns: RUNS, endOnFailure: true });
});

test("two stacks that want one path: one of them gets it, the other is told by whom it is held", TIMEOUT, async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.constantFrom("create", "move"), async (scheduler, during) => {
      const parties = [await Party.open("dev", emulator), await Party.open("prod", emulator)] as const;
      const stacks = [new Stack("dev"), new Stack("prod")] as const;
      const both = [
        [stacks[0], parties[0]],
        [stacks[1], parties[1]],
      ] as const;
      if (during === "move")
        for (const [stack, party] of both)
          expect((await stack.up(party.service, program(`from-${party.name}`, 1))).error).toBeUndefined();
      for (const party of parties) party.waitFor(scheduler);
      await inTurns(
        scheduler,
        both.map(([stack, party]) => stack.up(party.service, program("wanted", 2))),
      );
      for (const party of parties) party.goOn();
      const ends = [await settle(...both[0], program("wanted", 2)), await settle(...both[1], program("wanted", 2))];
      const refused = ends.filter(({ error }) => error !== undefined);
      expect(refused).toHaveLength(1);
      const winner = ends.findIndex(({ error }) => error === undefined);
      const [holder] = both[winner === 0 ? 0 : 1];
      const named = holder.ids.filter((id) => refused[0]?.error?.message.includes(id));
      expect(named, refused[0]?.error?.message).toHaveLength(1);
      for (const [stack, party] of both) {
        expect(party.trespasses).toEqual([]);
        expectNoLeftovers(party, stack);
      }
      await cleanUp(
        parties,
        both.map(([stack, party]) => [stack, party]),
      );
    }),
    { numRuns: Math.ceil(RUNS / 2), endOnFailure: true },
  );
});
