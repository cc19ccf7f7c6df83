// @module-tag thorough
/** A wrong passphrase on a machine without the stack's settings: Landform refuses it before it writes anything. */
import { existsSync, rmSync } from "node:fs";
import { beforeEach, expect, test } from "vitest";
import { onBothEngines } from "../suite/parts.ts";
import { SYSTEM_PATH, outputOf } from "./harness.ts";
import { NearDesk } from "./near-desk.ts";

const desk = NearDesk.each();
beforeEach(() => desk.declare(JSON.stringify({ landform: 1, name: "test", products: { mug: { price: 2 } }, hooks })));
const hooks = { leads: { eventType: "form_lead.created", targetUrl: "https://leads.example.com/in" } };

async function refusedThenTaken(env: Record<string, string>, ...args: string[]): Promise<void> {
  const run = (command: string[], more = {}) => desk.run([...command, ...args], { env: { ...env, ...more } });
  await outputOf(0, run(["up", "--yes"]));
  const settings = desk.read("Pulumi.dev.yaml");
  rmSync(desk.path("Pulumi.dev.yaml"));
  for (const command of [["preview"], ["up", "--yes"]]) {
    expect(await outputOf(4, run(command, { PULUMI_CONFIG_PASSPHRASE: "wrong" }))).toContain(
      "error: wrong passphrase: ",
    );
    expect(existsSync(desk.path("Pulumi.dev.yaml"))).toBe(false);
  }
  await outputOf(0, run(["preview", "--detailed-exitcode"]));
  expect(desk.read("Pulumi.dev.yaml")).toBe(settings);
  const missing = await run(["preview"], { PULUMI_CONFIG_PASSPHRASE: undefined });
  expect([missing.code, missing.stderr]).toEqual([4, expect.stringContaining("Set PULUMI_CONFIG_PASSPHRASE, or")]);
  expect(missing.stderr).toMatch(/need a passphrase, and none is set\.[^]*troubleshooting.*missing-passphrase/);
}

onBothEngines((engine, path) => {
  test("in a folder", () => refusedThenTaken({ PATH: path(SYSTEM_PATH) }, "--engine", engine));
});
