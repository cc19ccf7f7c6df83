// @module-tag thorough
/** Several accounts: each is asked with its own key, and Landform refuses the key of another one before it writes anything. */
import { expect, test } from "vitest";
import { leftToSoak, onBothEngines } from "../suite/parts.ts";
import { BRIEF } from "./manifests.ts";
import { NearDesk } from "./near-desk.ts";

const desk = NearDesk.each();
const other = NearDesk.each();

const OWN = `new landform.Product("own", { price: 1 });`;
const ACCOUNT = (baseUrl: string, apiKeyEnv = "KEY_B"): string =>
  `const b = new landform.Account("b", { baseUrl: "${baseUrl}", apiKeyEnv: "${apiKeyEnv}" });`;

test("a creation that comes before all that exists", async () => {
  await desk.program(OWN).up();
  desk.program(`const first = new landform.Product("first", { price: 2 });
new landform.Product("own", { price: 1 }, { dependsOn: [first] });`);
  desk.writes();
  const { LANDFORM_BASE_URL, LANDFORM_API_KEY } = other.env;
  const foreign = { LANDFORM_BASE_URL, LANDFORM_API_KEY };
  expect(await desk.saysWith(foreign, 1, "up", "--yes")).toContain("key belongs to account");
  expect([...desk.writes(), ...other.writes()]).toEqual([]);
  expect(await desk.applies()).toContain("1 created, 1 unchanged");
  const { stdout, stderr } = await desk.run(["drift"], { env: foreign });
  expect((stdout + stderr).match(/key belongs to account.*/g)).toEqual([expect.stringContaining("(2 resources)")]);
});

test("a page's address is not foretold by the pages of another account", async () => {
  const site = (
    name: string,
    provider = "",
  ) => `const ${name}Project = new landform.Project("${name}", { description: "${BRIEF}", context: "${BRIEF}" }${provider});
const ${name} = new landform.Site("${name}.example", { projectId: ${name}Project.id }${provider});`;
  const page = (name: string, slug: string, provider = "") =>
    `new landform.Page("${name}-${slug}", { templateId: "tpl-hero", variables: { brand: "A" }, publish: { siteId: ${name}.id, slug: "${slug}" } }${provider});`;
  const both = [
    ACCOUNT(other.emulator.baseUrl),
    site("ours"),
    site("theirs", ", { provider: b }"),
    page("theirs", "offer", ", { provider: b }"),
  ];
  const env = { KEY_B: other.emulator.apiKey };
  desk.program(both.join("\n"));
  await desk.saysWith(env, 0, "up", "--yes");
  desk.program([...both, page("ours", "guide")].join("\n"));
  const said = await desk.saysWith(env, 0, "preview");
  expect(said).toMatch(/ours-example\S*\/guide/);
  expect(said).not.toContain(new URL(other.emulator.baseUrl).port);
});

onBothEngines(
  (engine, path) => {
    const program = (templates: { own: string; second: string }) =>
      desk.program(`${ACCOUNT(other.emulator.baseUrl)}
new landform.Page("home", { templateId: "${templates.own}", variables: { brand: "Acme" } });
const { id: projectId } = new landform.Project("spring", { description: "${BRIEF}", context: "${BRIEF}" }, { provider: b });
const { id: siteId } = new landform.Site("spring.example", { projectId }, { provider: b });
new landform.Page("offer", { templateId: "${templates.second}", variables: { brand: "Acme" }, publish: { siteId, slug: "offer" } }, { provider: b });`);
    const says = (KEY_B: string, ...rest: [code: number, ...args: string[]]): Promise<string> =>
      desk.on(engine, path).saysWith({ KEY_B }, ...rest);

    test("an undo makes an object anew in the account that it was in, which the run took out", async () => {
      const counts = (): string[] =>
        [desk, other].map((one) => `${one.rows("products").length} products, ${one.rows("pages").length} pages`);
      const both = `${OWN}\n${ACCOUNT(other.emulator.baseUrl)}
new landform.Product("mug", { price: 2 }, { provider: b });
new landform.Page("offer", {}, { provider: b });`;
      const key = other.emulator.apiKey;
      for (const code of [both, OWN]) {
        desk.program(code);
        await says(key, 0, "up", "--yes");
      }
      expect(counts()).toEqual(["1 products, 0 pages", "0 products, 0 pages"]);
      expect(await says(key, 0, "undo", "--yes")).not.toContain("can't come back");
      expect(counts()).toEqual(["1 products, 0 pages", "1 products, 1 pages"]);
      desk.program(both);
      await says(key, 0, "preview", "--detailed-exitcode");
    });

    /** The questions name objects that can't exist. */
    const nothingIsWritten = (): void =>
      expect([...desk.writes(), ...other.writes()].filter((call) => !call.includes("landform-asks-"))).toEqual([]);

    test.skipIf(leftToSoak(engine))("each account is asked for what its own resources refer to", async () => {
      const key = other.emulator.apiKey;
      program({ own: "tpl-hero", second: "tpl-heros" });
      expect(await says(key, 4, "preview")).toMatch(/Page offer: templateId: .*tpl-heros/);
      program({ own: "tpl-heros", second: "tpl-hero" });
      const own = await says(key, 4, "up", "--yes");
      expect(own).toMatch(/Page home: templateId: .*tpl-heros/);
      expect(own).not.toContain("Page offer: templateId");
      nothingIsWritten();
    });

    test.skipIf(leftToSoak(engine))("its key: none, a wrong one, one that may not do all of it", async () => {
      program({ own: "tpl-hero", second: "tpl-hero" });
      const reading = ["account:read", "projects:read", "sites:read", "pages:read"];
      const of = (...scopes: string[]): string => other.emulator.createKey({ scopes });
      expect(await says("", 4, "preview")).toContain("KEY_B is not set");
      expect(await says("lfk_wrong", 4, "preview")).toMatch(/account "b": .*401.*Set KEY_B to a valid key/);
      expect(await says(of(...reading.slice(0, 2)), 4, "preview")).toMatch(/account "b": the key lacks .*set KEY_B/);
      expect(await says(of(...reading, "projects:write", "sites:write"), 4, "up", "--yes")).toMatch(
        /account "b": the key lacks the scope pages:write.*set KEY_B/,
      );
      nothingIsWritten();
    });

    test("an account that is pointed at another one is refused, also where nothing in it changes", async () => {
      const third = await NearDesk.own();
      const env = { KEY_SAME: other.emulator.createKey(), KEY_C: third.emulator.apiKey };
      const go = (code: number, ...args: string[]): Promise<string> =>
        desk.on(engine, path).saysWith({ ...env, KEY_B: other.emulator.apiKey }, code, ...args);
      const mug = ({ emulator }: NearDesk, key: string) =>
        desk.program(`${ACCOUNT(emulator.baseUrl, key)}\nnew landform.Product("mug", { price: 1 }, { provider: b });`);
      mug(other, "KEY_B");
      await go(0, "up", "--yes");
      mug(third, "KEY_C");
      for (const command of [["preview"], ["up", "--yes"]])
        expect(await go(4, ...command)).toMatch(/account "b": The API key belongs to account .*\(KEY_C\)/);
      mug(other, "KEY_SAME");
      await go(0, "up", "--yes");
      await go(0, "preview", "--detailed-exitcode");
    });
  },
  { onPulumi: 2 },
);
