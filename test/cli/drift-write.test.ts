/** Hand edits taken back into the manifest: values, references, and nothing else of the file. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { LandformApi } from "../../provider/api/index.ts";
import { Desk } from "./harness.ts";

let desk: Desk;
let before: string;

beforeAll(async () => {
  desk = await Desk.open("quickstart-yaml");
  desk.edit("landform.yaml", "hero.title: A mug", "# Marketing likes this one.\n      hero.title: A mug");
}, 240_000);

afterAll(() => desk.close());

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
  const changed = (text: string) =>
    text.split("\n").filter((line) => !/hero\.title|hero\.cta\.text|pageType/.test(line));
  expect(changed(after)).toEqual(changed(before));
  const applied = await desk.run(["up", "--refresh", "--yes"]);
  expect([applied.code, applied.stderr]).toEqual([0, ""]);
  const settled = await desk.run(["drift", "--full", "--detailed-exitcode"]);
  expect([settled.code, settled.stdout]).toEqual([0, expect.stringContaining("no drift")]);
});

test("what nobody declares is listed with an entry that takes it over", async () => {
  const api = new LandformApi(desk.emulator);
  await api.pages.create({ name: "Made by hand" });
  desk.writes();
  const { code, stdout } = await desk.run(["drift", "--unmanaged", "--json", "drift.json", "--detailed-exitcode"]);
  expect(code).toBe(0);
  expect(desk.writes()).toEqual([]);
  expect(stdout).toContain("1 object of the account that nobody declares");
  const report = JSON.parse(desk.read("drift.json")) as { undeclared: { name: string; entry: string }[] };
  expect(report.undeclared.map(({ name }) => name)).toEqual(["Made by hand"]);
  const entry = (report.undeclared[0]?.entry ?? "").replace("pages:\n", "");
  desk.edit("landform.yaml", "pages:\n", `pages:\n${entry}`);
  const adopted = await desk.run(["up", "--yes"]);
  expect([adopted.code, adopted.stdout]).toEqual([0, expect.stringContaining("1 adopted")]);
  const none = await desk.run(["drift", "--unmanaged"]);
  expect(none.stdout).toContain("Everything that the account holds is declared.");
});

test("a program is not written into: where it stands is told, with 4", async () => {
  desk.program('new landform.Project("p", { name: "P", description: "x".repeat(60), context: "y".repeat(210) });');
  desk.edit("Pulumi.yaml", "name: test", "name: quickstart-yaml");
  const { code, stderr } = await desk.run(["drift", "--write", "-s", "dev"]);
  expect(code).toBe(4);
  expect(stderr).toContain("landform.yaml");
});
