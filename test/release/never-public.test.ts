/** A page that a failed release has left a draft: a person's words in it go public by her own word alone, as on any other page. */
import { expect, test, vi } from "vitest";
import { Between } from "../faults/between.ts";
import { editInApp } from "../suite/app.ts";
import { forEachTest } from "../suite/opened.ts";
import { Release, type Text } from "./program.ts";

vi.mock("node:timers/promises", async () => ({ setTimeout: (await import("../faults/clock.ts")).sleep }));

const TEXT: Text = { offer: "First offer", thanks: "First thanks" };

const world = forEachTest(() => Release.open());
const between = forEachTest(() => new Between(world.emulator));

test.each(["at once", "after a refresh"])("it holds the release, by name: %s", async (when) => {
  world.service = { ...world.service, baseUrl: await between.listen() };
  between.instead = ({ method, path, body }) =>
    method === "POST" && path === "/pages/publish" && body.includes(world.idOf("offer"))
      ? { status: 422, text: JSON.stringify({ error: "invalid_request", message: "no" }) }
      : undefined;
  expect((await world.up(TEXT)).error?.message).toContain("could not be published");
  between.instead = () => undefined;
  await editInApp(world, world.idOf("offer"), { "hero.note": "Half a thought" });
  if (when === "after a refresh") await world.stack.refresh(world.service);
  const held = await world.up(TEXT);
  expect(held.error).toBeUndefined();
  expect(held.warnings.join("\n")).toMatch(/"name":"offer","outcome":"held-back".*Half a thought/);
  expect(await world.visit("offer")).toBeUndefined();
  await world.apply(TEXT, { foreignEdits: "include" });
  expect(await world.visit("offer")).toContain("Half a thought");
});
