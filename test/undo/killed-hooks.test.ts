/**
 * An undo that is killed while it makes a hook anew. No call finds the hook again, so it may be an orphan. Each run that comes to it names it, and a
 * run that nobody kills leaves no orphan.
 */
import { afterEach, beforeEach, expect, test } from "vitest";
import { Killed } from "../faults/whole/killed.ts";
import { onBothEngines, realEngine } from "../suite/parts.ts";

const manifest = (price: number, path?: string): string =>
  [
    "landform: 1",
    "name: killed",
    `products: { mug: { price: ${price} } }`,
    ...(path === undefined
      ? []
      : [
          `hooks: { leads: { eventType: form_lead.created, targetUrl: https://k3y.hooks.example.com/${path}/s3cret } }`,
        ]),
    "",
  ].join("\n");

const TOLD =
  /may have made hook "leads" \(form_lead\.created to a host of example\.com, \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\) already/g;

onBothEngines((engine) => {
  let killed: Killed;
  beforeEach(async () => {
    killed = await Killed.open(manifest(1, "one"), { kind: engine, path: realEngine });
    await run("up", "--yes");
  });
  afterEach(() => killed.close());

  async function run(...args: string[]): Promise<string> {
    const said = await killed.run(...args);
    expect(said).not.toMatch(/k3y|s3cret/);
    return said;
  }

  const hooks = () => killed.rows("hooks");
  const live = (): number => hooks().filter(({ active }) => active).length;
  const told = (said: string): number => [...said.matchAll(TOLD)].length;

  const killedUndo = (): Promise<void> =>
    killed.kill(["undo"], ({ method, path }) => method === "POST" && path === "/hooks");

  async function expectNothingLeft(code: string): Promise<void> {
    killed.declare(code);
    await run("preview", "--detailed-exitcode");
    expect(await run("up", "--yes")).not.toContain("orphan");
    expect(await run("preview", "--detailed-exitcode")).not.toContain("orphan");
  }

  test("the next up tells of it where the code is without the hook", { tags: ["thorough"] }, async () => {
    killed.declare(manifest(2));
    await run("up", "--yes", "--force");
    await killedUndo();
    expect(told(await run("preview"))).toBe(1);
    expect(told(await run("up", "--yes"))).toBeGreaterThan(0);
    expect(live()).toBe(1);
    await expectNothingLeft(manifest(2));
  });
});
