// @module-tag thorough
/** A state older than its history, as after a merge that took one side of its folder: no object is made twice without asking. */
import { cpSync } from "node:fs";
import { beforeEach, expect, test } from "vitest";
import { leftToSoak, onBothEngines } from "../suite/parts.ts";
import { NearDesk } from "./near-desk.ts";
import { forEachTest } from "../suite/opened.ts";

const HOOKS = { leads: { eventType: "form_lead.created", targetUrl: "https://example.com/leads" } };

const desk = forEachTest(() => NearDesk.open(undefined, { seed: "empty" }));

function declare(products: Record<string, object>, hooks?: object): void {
  const whole = Object.fromEntries(Object.entries(products).map(([name, more]) => [name, { name, price: 2, ...more }]));
  desk.declare(JSON.stringify({ landform: 1, name: "test", products: whole, hooks }));
}

function cups(): string[] {
  const products = desk.rows("products") as { id: string; name: string }[];
  return products.flatMap(({ id, name }) => (name === "cup" ? [id] : []));
}

onBothEngines((engine, path) => {
  beforeEach(() => void desk.on(engine, path));

  /** One side of a merge has this state, and the code of both: a cup was made since. */
  async function withOlderState({ hooks }: { hooks?: object } = {}) {
    declare({ mug: {} });
    await desk.up();
    cpSync(desk.path(".pulumi"), desk.path("older"), { recursive: true });
    declare({ mug: {}, cup: {} }, hooks);
    await desk.up();
    cpSync(desk.path("older/stacks"), desk.path(".pulumi/stacks"), { recursive: true });
    desk.writes();
    return cups()[0] ?? "";
  }

  test.skipIf(leftToSoak(engine))("the plan names what would be made twice, and up refuses", async () => {
    const cup = await withOlderState({ hooks: HOOKS });
    const planned = await desk.says(0, "preview");
    expect(planned).toMatch(new RegExp(`would make a second time: Product cup \\(${cup}, of run \\d{8}-\\S+\\)\\.`));
    expect(planned).toMatch(/Hook leads: run \d{8}-\S+ made it, and the state has lost it\. .* each lead twice/);
    expect(planned).toContain(`npx landform up --engine ${engine} --target 'Product/*' applies everything else`);
    const refused = await desk.says(3, "up", "--yes");
    expect(refused).toContain("--force makes a second one");
    expect(refused).toContain("pulumi state delete");
    expect(refused.split("would make a second time")).toHaveLength(2);
    expect(desk.writes()).toEqual([]);

    declare({ mug: {}, cup: { adoptId: cup } });
    await desk.up();
    expect(cups()).toEqual([cup]);
    await desk.plansNothing();
  });

  test.skipIf(leftToSoak(engine))("whoever means a second one says so", async () => {
    await withOlderState();
    await desk.up("--force");
    expect(cups()).toHaveLength(2);
    await desk.plansNothing();
  });
});
