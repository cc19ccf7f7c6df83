// @module-tag thorough
/** The preview reports certain failures in further accounts of the program, too. It asks each with its own key. */
import { expect, test } from "vitest";
import { leftToSoak, onBothEngines } from "../suite/parts.ts";
import { NearDesk } from "./near-desk.ts";
import { forAllTests } from "../suite/opened.ts";
import { outputOf } from "./harness.ts";

const desk = forAllTests(() => NearDesk.open());
const other = forAllTests(() => NearDesk.open());

const LONG = "A brief about the brand, its customers and what it offers them, word by word. ".repeat(3);

function program(templates: { own: string; second: string }, baseUrl = JSON.stringify(other.emulator.baseUrl)): void {
  desk.program(`
const b = new landform.Account("b", { baseUrl: ${baseUrl}, apiKeyEnv: "KEY_B" });
new landform.Page("home", { templateId: "${templates.own}", variables: { brand: "Acme" } });
const { id: projectId } = new landform.Project("spring", { description: "${LONG}", context: "${LONG}" }, { provider: b });
const { id: siteId } = new landform.Site("spring.example", { projectId }, { provider: b });
new landform.Page("offer", { templateId: "${templates.second}", variables: { brand: "Acme" }, publish: { siteId, slug: "offer" } }, { provider: b });
`);
}

const both = { own: "tpl-hero", second: "tpl-hero" };
/** The questions name objects that can't exist. */
const nothingWritten = () => {
  const calls = [...desk.writes(), ...other.writes()];
  expect(calls.filter((call) => !call.includes("landform-asks-"))).toEqual([]);
};

onBothEngines((engine, path) => {
  const run = (args: readonly string[], KEY_B: string | undefined = other.emulator.apiKey) =>
    desk.run([...args, "--engine", engine], { env: { PATH: path(desk.env["PATH"] ?? ""), KEY_B } });

  test.skipIf(leftToSoak(engine))("each account is asked for what its own resources refer to", async () => {
    program({ own: "tpl-hero", second: "tpl-heros" });
    const second = await run(["preview"]);
    expect([second.code, second.stdout]).toEqual([4, expect.stringMatching(/Page offer: templateId: .*tpl-heros/)]);
    program({ own: "tpl-heros", second: "tpl-hero" });
    const own = await run(["up", "--yes"]);
    expect([own.code, own.stdout]).toEqual([4, expect.stringMatching(/Page home: templateId: .*tpl-heros/)]);
    expect(own.stdout).not.toContain("Page offer: templateId");
    nothingWritten();
  });

  test.skipIf(leftToSoak(engine))("its key: none, a wrong one, one that may not do all of it", async () => {
    program(both);
    expect(await outputOf(4, run(["preview"], ""))).toContain("KEY_B is not set");
    expect(await outputOf(4, run(["preview"], "lfk_wrong"))).toMatch(/account "b": .*401.*Set KEY_B to a valid key/);
    const reading = ["account:read", "projects:read", "sites:read", "pages:read"];
    expect(await outputOf(4, run(["preview"], other.emulator.createKey({ scopes: reading.slice(0, 2) })))).toMatch(
      /account "b": the key lacks .*set KEY_B/,
    );
    nothingWritten();
    const half = [...reading, "projects:write", "sites:write"];
    expect(await outputOf(4, run(["up", "--yes"], other.emulator.createKey({ scopes: half })))).toMatch(
      /account "b": the key lacks the scope pages:write.*set KEY_B/,
    );
    nothingWritten();
  });

  test("an account that is pointed at another one is refused, also where nothing in it changes", async () => {
    const third = await NearDesk.open();
    const mug = (baseUrl: string, apiKeyEnv: string) =>
      desk.program(`
const b = new landform.Account("b", { baseUrl: "${baseUrl}", apiKeyEnv: "${apiKeyEnv}" });
new landform.Product("mug", { price: 1 }, { provider: b });`);
    const env = {
      PATH: path(desk.env["PATH"] ?? ""),
      KEY_B: other.emulator.apiKey,
      KEY_SAME: other.emulator.createKey(),
      KEY_C: third.emulator.apiKey,
    };
    const go = (...args: string[]) => desk.run([...args, "-s", "pointed", "--engine", engine], { env });
    mug(other.emulator.baseUrl, "KEY_B");
    expect((await go("up", "--yes")).code).toBe(0);
    mug(third.emulator.baseUrl, "KEY_C");
    const refused = /account "b": The API key belongs to account .*\(KEY_C\)/;
    for (const command of [["preview"], ["up", "--yes"]]) {
      expect(await outputOf(4, go(...command))).toMatch(refused);
    }
    mug(other.emulator.baseUrl, "KEY_SAME");
    expect((await go("up", "--yes")).code).toBe(0);
    expect((await go("preview", "--detailed-exitcode")).code).toBe(0);
    expect((await go("destroy", "--yes", "--force")).code).toBe(0);
    await third.close();
    desk.writes();
    other.writes();
  });
});
