/** A page that was held: each plan after it, and each undo, says in words what goes public. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { inTheApp } from "../suite/app.ts";
import { NearDesk } from "./near-desk.ts";

let desk: NearDesk;
beforeEach(async () => {
  desk = await NearDesk.open();
});
afterEach(() => desk.close());

function manifest(title: string, text = "T9"): void {
  desk.write(
    "landform.yaml",
    `landform: 1
name: held
sites: { main: { name: held.example } }
pages:
  p:
    template: tpl-hero
    variables: { brand: Mist }
    content: { hero.title: "${title}", hero.text: "${text}" }
    publish: { site: main, slug: p }
`,
  );
}

const page = (): string => String(desk.emulator.records().pages?.[0]?.["id"]);
const edit = (updates: object) => inTheApp(desk, "PATCH", "/pages/content", { page_id: page(), updates });

async function told(code: number, ...args: string[]): Promise<string> {
  const ended = await desk.run(args);
  expect(ended.code, ended.stdout + ended.stderr).toBe(code);
  return ended.stdout + ended.stderr;
}

const plansNothing = (): Promise<string> => told(0, "preview", "--detailed-exitcode");

test("after an undo of what went out by word, the undo names what stays and the plan shows the text again", async () => {
  manifest("A");
  await told(0, "up", "--yes");
  await edit({ "hero.note": "PERSON" });
  manifest("B");
  await told(1, "up", "--yes");
  await told(0, "up", "--yes", "--foreign-edits", "include");
  const undone = await told(0, "undo", "--yes");
  expect(undone).toContain('hero.note "PERSON" of somebody else went public with it, and stays public');
  expect(undone).not.toContain("an earlier run had written it");
  expect(await told(0, "preview")).toMatch(/hero\.title.*"A" → "B"/);
  await told(0, "up", "--yes");
  await plansNothing();
});

test("a plan that has read the account repairs what it found, and does not hold it back as well", async () => {
  manifest("A");
  await told(0, "up", "--yes");
  await edit({ "hero.title": "PERSON" });
  manifest("A", "T10");
  const held = await told(1, "up", "--yes");
  expect(held).toContain("held back: the page keeps what visitors get by now");
  const repaired = await told(0, "up", "--refresh", "--yes");
  expect(repaired).toMatch(/hero\.title.*"PERSON" → "A"/);
  expect(repaired).not.toContain("would also go live");
  await plansNothing();
});

test("an undo of a held text that was published later meets what a run without history has published since", async () => {
  manifest("A");
  await told(0, "up", "--yes");
  await edit({ "hero.title": "PERSON" });
  manifest("A", "T10");
  await told(1, "up", "--yes");
  await told(0, "up", "--refresh", "--yes");
  manifest("A", "T11");
  await told(0, "up", "--yes");
  const [last, before] = (await told(0, "history")).match(/\d{8}-\d{6}\.\d+-\w+/g) ?? [];
  expect(last).toBeDefined();
  expect(await told(3, "undo", before ?? "", "--preview")).toContain(
    'content["hero.text"] was changed by a later run ("T11")',
  );
});
