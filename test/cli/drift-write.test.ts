// @module-tag thorough
/** `drift --write` takes hand edits back into the manifest: values and references, and nothing else of the file changes. */
import { mkdirSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { LandformApi } from "../../provider/api/index.ts";
import { NearDesk } from "./near-desk.ts";
import { forAllTests, inTest } from "../suite/opened.ts";
import { outputOf } from "./harness.ts";

const desk = forAllTests(() => NearDesk.open("quickstart-yaml"));
let before: string;

beforeAll(
  () => desk.edit("landform.yaml", "hero.title: A mug", "# Marketing likes this one.\n      hero.title: A mug"),
  240_000,
);

test("what was edited in the app is written where it is declared; the rest stays, to the byte", async () => {
  expect((await desk.run(["up", "--yes"])).code).toBe(0);
  before = desk.read("landform.yaml");
  const api = new LandformApi(desk.emulator);
  const pages = await api.pages.list({ limit: 100 });
  const idOf = (name: string): string => pages.find(({ page_name: one }) => one === name)?.id ?? "";
  await api.pages.updateContent({
    page_id: idOf("Offer"),
    updates: { "hero.title": 'Say "hello": #1', "hero.cta.text": "Take it" },
  });
  const [funnel] = await api.funnels.list();
  const steps = [{ pageId: idOf("Thank you"), pageType: "thankyou" }];
  await api.funnels.update({ funnel_id: funnel?.id ?? "", pages: steps });
  desk.writes();
  const { code, stdout, stderr } = await desk.run(["drift", "--full", "--write", "--detailed-exitcode"]);
  expect([code, stderr]).toEqual([2, ""]);
  expect(desk.writes()).toEqual([]);
  expect(stdout).toContain("written  pages.offer.content.hero.title");
  const after = desk.read("landform.yaml");
  expect(after).toContain("# Marketing likes this one.\n");
  expect(after).toMatch(/hero\.title: ['"]Say .*#1['"]/);
  expect(after).toContain("hero.cta.text: Take it");
  expect(after).toMatch(/steps:\n\s+- \{ page: thanks, pageType: thankyou \}\n/);
  // The text stands only in the draft.
  expect(stdout).toMatch(/takes it into the state, and publishes Page offer: visitors don't get these edits yet/);
  const visitors = async (): Promise<string> => {
    const [offer] = (await api.pages.list({ limit: 100 })).filter(({ page_name: name }) => name === "Offer");
    const { hostname, pathname } = new URL(offer?.url ?? "");
    return (await fetch(`${desk.emulator.url}/_sites/${hostname.split(".")[0] ?? ""}${pathname}`)).text();
  };
  expect(await visitors()).not.toContain("Take it");
  const changed = (text: string) =>
    text.split("\n").filter((line) => !/hero\.title|hero\.cta\.text|pageType/.test(line));
  expect(changed(after)).toEqual(changed(before));
  const applied = await desk.run(["up", "--refresh", "--yes"]);
  expect([applied.code, applied.stderr]).toEqual([0, ""]);
  expect(applied.stdout).toMatch(/publishes .*content\["hero\.title"\], which the draft has already/);
  expect(await visitors()).toContain("Take it");
  expect(await outputOf(0, desk.run(["drift", "--full", "--detailed-exitcode"]))).toContain("no drift");
});

test("of a program, the one literal that says it is changed; of the rest, the place is told", async () => {
  desk.program(`
const project = new landform.Project("p", { name: "P", description: "x".repeat(60), context: "y".repeat(210) });
// The name that people see.
new landform.Page("said", { name: 'Said "once"', projectId: project.id });
new landform.Page("computed", { name: ["Com", "puted"].join(""), projectId: project.id });
for (const key of ["a", "b"]) new landform.Page(key, { name: key === "a" ? "Twice" : "Twice", projectId: project.id });`);
  desk.edit("Pulumi.yaml", "name: test", "name: program");
  expect((await desk.run(["up", "--yes"])).code).toBe(0);
  const api = new LandformApi(desk.emulator);
  for (const { id, page_name: name } of await api.pages.list())
    if (/Said|Computed|Twice/.test(name)) await api.pages.updateMetadata({ page_id: id, name: `${name} by hand` });
  const told = await outputOf(0, desk.run(["drift", "--full", "--write"]));
  expect(desk.read("index.ts")).toContain(
    '// The name that people see.\nnew landform.Page("said", { name: \'Said "once" by hand\',',
  );
  expect(told).toContain("left     Page computed name (the code computes it, declared at index.ts:");
  expect(told).toMatch(/left {5}Page a name \(2 places of the code say so \(index\.ts:\d+, index\.ts:\d+\)\)/);
  expect(told).toContain("Landform wrote the values of the account into index.ts, without those that are left.");
});

test("of a program that reads data files, the cell or text that says it is changed; the rest of the file stays, to the byte", async () => {
  desk.program(`import { readFileSync } from "node:fs";
const eyebrow = readFileSync("eyebrow.txt", "utf8").trim();
const content = landform.content([{ file: "copy.csv" }, { file: "copy.yaml" }, { file: "copy.xlf" }, { folder: "texts" }]);
new landform.Page("told", { templateId: "tpl-hero", content: { ...content, "hero.eyebrow": eyebrow } });`);
  const csv = '\uFEFFkey,value\r\nhero.title,"Mugs, all of them"\r\ntop.brand,Since 1980\r\n';
  const yaml = "# Of marketing.\nhero.text: 'Made by hand' # and fired twice\n";
  const xliff = `<?xml version="1.0" encoding="UTF-8"?>
<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">
  <file original="copy" source-language="en" target-language="de" datatype="plaintext">
    <body>
      <trans-unit id="hero.cta.text"><source>Take one</source><target state="translated">Nimm eine</target></trans-unit>
    </body>
  </file>
</xliff>
`;
  for (const [name, text] of Object.entries({ "copy.csv": csv, "copy.yaml": yaml, "copy.xlf": xliff }))
    desk.write(name, text);
  desk.write("eyebrow.txt", "By hand\n");
  mkdirSync(desk.path("texts"));
  desk.write("texts/hero.note.md", "A note of its own.\r\n");
  desk.edit("Pulumi.yaml", "name: test", "name: cells");
  expect((await desk.run(["up", "--yes"])).code).toBe(0);
  const api = new LandformApi(desk.emulator);
  const page = (await api.pages.list({ limit: 100 })).find(({ page_name: name }) => name === "told");
  const updates = {
    "hero.title": 'Mugs, "all" of them',
    "hero.text": "Made: by hand",
    "hero.cta.text": "Nimm < zwei",
    "hero.note": "Another note.",
    "hero.eyebrow": "By hands",
  };
  await api.pages.updateContent({ page_id: page?.id ?? "", updates });
  const { code, stdout } = await desk.run(["drift", "--full", "--write"]);
  expect([code, stdout.match(/written {2}[\w./]+: Page told content/g)?.length]).toEqual([0, 5]);
  expect(desk.read("copy.csv")).toBe(csv.replace("Mugs, all of them", 'Mugs, ""all"" of them'));
  expect(desk.read("copy.yaml")).toBe(yaml.replace("Made by hand", "Made: by hand"));
  expect(desk.read("copy.xlf")).toBe(xliff.replace("Nimm eine", "Nimm &lt; zwei"));
  expect(desk.read("texts/hero.note.md")).toBe("Another note.");
  expect(desk.read("eyebrow.txt")).toBe("By hands\n");
  const applied = await desk.run(["up", "--refresh", "--yes"]);
  expect([applied.code, applied.stderr]).toEqual([0, ""]);
  expect((await desk.run(["preview", "--refresh", "--detailed-exitcode"])).code).toBe(0);
});

test("a cell that several pages take is written on a choice: for all, or for one alone", async () => {
  const shop = await inTest(NearDesk.open());
  shop.write(
    "landform.yaml",
    `landform: 1
name: shared
pages:
  market:
    each: [north, south]
    template: tpl-hero
    variables: { brand: Acme }
    content: { file: copy.csv }
  home: { template: tpl-hero, variables: { brand: Acme }, content: { file: copy.csv } }
`,
  );
  const csv = "key,value\nhero.title,A mug\nhero.text,By hand\n";
  shop.write("copy.csv", csv);
  expect((await shop.run(["up", "--yes"])).code).toBe(0);
  const api = new LandformApi(shop.emulator);
  const pages = await api.pages.list({ limit: 100 });
  const edit = (name: string, updates: Record<string, string>) =>
    api.pages.updateContent({ page_id: pages.find((one) => one.page_name === name)?.id ?? "", updates });
  await edit("market-north", { "hero.title": "A cup" });
  await edit("home", { "hero.text": "By hands" });

  const left = await shop.run(["drift", "--full", "--write"]);
  expect([left.code, shop.read("copy.csv")]).toEqual([0, csv]);
  expect(left.stdout).toContain(
    "copy.csv:2:12 is used in 3 places. To change all of them, change it there. To change this one, add",
  );
  expect(left.stdout).toContain(
    'drift --write --shared all writes pages.home.content.hero.text "By hands" into copy.csv:3:11, for all 3 places',
  );
  expect(left.stdout).toContain(
    'drift --write --shared own writes pages.home.content.hero.text "By hands" into landform.yaml, for this one alone',
  );
  expect((await shop.run(["drift", "--shared", "all"])).code).toBe(4);

  const own = await shop.run(["drift", "--full", "--write", "--shared", "own"]);
  expect([own.code, shop.read("copy.csv")]).toEqual([0, csv]);
  // To put back the code's values would destroy the edit that was left.
  expect(own.stdout).toContain(
    "without those that are left. Change the code for these first: npx landform up --refresh would write",
  );
  expect(own.stdout).not.toMatch(/takes it into the state|publishes Page|writes the code's values back/);
  const overwriting = await shop.run(["preview", "--refresh"]);
  expect(overwriting.stdout + overwriting.stderr).toContain(
    'this writes over what somebody has changed in the app: Page market-north content["hero.title"]\n',
  );
  expect(shop.read("landform.yaml")).toMatch(/- file: copy\.csv\n? +- hero\.text: By hands|\[.*hero\.text: By hands/s);
  const all = await shop.run(["drift", "--full", "--write", "--shared", "all"]);
  expect([all.code, shop.read("copy.csv")]).toEqual([0, csv.replace("A mug", "A cup")]);
  expect(all.stdout).toContain("The next up brings them to all that take the same cells, too.");

  const applied = await shop.run(["up", "--refresh", "--yes"]);
  expect([applied.code, applied.stderr]).toEqual([0, ""]);
  expect((await shop.run(["preview", "--refresh", "--detailed-exitcode"])).code).toBe(0);
  expect((await shop.run(["drift", "--full", "--detailed-exitcode"])).code).toBe(0);
});

test("an edit in a language without a text of its own goes into the file of that language, and undo takes it there", async () => {
  const shop = await inTest(NearDesk.open());
  const manifest = `landform: 1
name: languages
copy: { source: en }
pages:
  about:
    each: { matrix: { brand: [acme, zen], lang: [en, de] } }
    template: tpl-hero
    variables: { brand: Acme }
    content:
      - { file: about.yaml }
      - { file: "about.*.xlf", locale: "\${each.lang.key}" }
`;
  shop.write("landform.yaml", manifest);
  const english = "hero.title: About\nhero.text: By hand\n";
  shop.write("about.yaml", english);
  expect((await shop.run(["up", "--yes"])).code).toBe(0);
  const api = new LandformApi(shop.emulator);
  const pages = await api.pages.list({ limit: 100 });
  const edit = (name: string, updates: Record<string, string>) =>
    api.pages.updateContent({ page_id: pages.find((one) => one.page_name === `about-${name}`)?.id ?? "", updates });
  const settles = async (): Promise<void> => {
    const up = await shop.run(["up", "--refresh", "--yes"]);
    expect([up.code, up.stderr]).toEqual([0, ""]);
    expect((await shop.run(["preview", "--refresh"])).stdout).toContain("no changes");
  };
  for (const name of ["acme-de", "zen-de"]) await edit(name, { "hero.title": "Über uns" });
  const both = await shop.run(["drift", "--full", "--write"]);
  expect(both.stdout).toContain("pages.about-acme-de.content.hero.title (about.de.xlf, in German)");
  expect([shop.read("about.yaml"), shop.read("about.de.xlf")]).toEqual([english, expect.stringContaining("Über uns")]);
  await settles();

  await edit("acme-de", { "hero.text": "Von Hand" });
  const left = await shop.run(["drift", "--full", "--write"]);
  expect(left.stdout).toContain("about.de.xlf, hero.text would be used in 2 places. To change all of them");
  const own = await shop.run(["drift", "--full", "--write", "--shared", "own"]);
  expect(own.stdout).toContain("--shared own can't: the rows of an each share one entry");
  await shop.run(["drift", "--full", "--write", "--shared", "all"]);
  expect([shop.read("about.yaml"), shop.read("about.de.xlf")]).toEqual([english, expect.stringContaining("Von Hand")]);
  await settles();

  // The advice for a row of a matrix, as it is printed.
  await edit("acme-en", { "hero.title": "About us" });
  const one = await shop.run(["drift", "--full", "--write"]);
  expect(one.stdout).toContain("declare this one by itself (options: { aliases: [about-acme-en] })");
  expect(one.stdout).toContain("leave it out here (where: { key: { not: acme-en } })");
  const page = `  about-acme:
    options: { aliases: [about-acme-en] }
    template: tpl-hero
    variables: { brand: Acme }
    content: [{ file: about.yaml }, { hero.title: About us }]
`;
  const apart = manifest.replace("lang: [en, de] }", "lang: [en, de] }, where: { key: { not: acme-en } }") + page;
  shop.write("landform.yaml", apart);
  await settles();
  expect((await api.pages.list({ limit: 100 })).map(({ id }) => id).sort()).toEqual(pages.map(({ id }) => id).sort());

  const german = shop.read("about.de.xlf");
  shop.write("about.de.xlf", german.replace("Von Hand", ""));
  expect((await shop.run(["up", "--yes"])).code).toBe(0);
  expect(await outputOf(0, shop.run(["undo", "--yes", "--write"]))).toContain("about.de.xlf written");
  expect([shop.read("about.yaml"), shop.read("about.de.xlf")]).toEqual([english, german]);
  expect((await shop.run(["preview", "--refresh"])).stdout).toContain("no changes");

  shop.write("landform.yaml", apart.replaceAll("brand: Acme }", "brand: Zen }"));
  expect((await shop.run(["up", "--yes"])).code).toBe(0);
  shop.write("landform.yaml", shop.read("landform.yaml").replace(page.replace("Acme }", "Zen }"), page));
  expect(await outputOf(0, shop.run(["undo", "--yes", "--write"]))).toContain("The next up makes the change again.");
});
