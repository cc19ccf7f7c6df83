/** A merge changes only the edited text of a manifest. */
import { beforeEach, describe, expect, test } from "vitest";
import { settles, Stack } from "./apply.ts";
import { LONG } from "./accounts.ts";
import { TestAccount, TestFolder } from "./harness.ts";
import { forEachTest } from "../suite/opened.ts";

const account = forEachTest(() => TestAccount.open({ notShown: { projectContextOnRead: true } }));
const folder = forEachTest(() => new TestFolder());
let project: string;
let site: string;

beforeEach(async () => {
  project = await account.project();
  ({ id: site } = await account.api.sites.create({ name: "spring.example", project_id: project }));
});

/** Makes a page with one text under hero.title and another under hero.text. */
async function page(name: string, title: string, text = "Plain"): Promise<string> {
  const id = await account.page(name, { project });
  await account.edit(id, { "hero.title": title, "hero.text": text });
  return id;
}

function manifest(...lines: string[]): void {
  const around = `landform: 1
name: spring
projects:
  spring: { adoptId: ${project}, name: Spring, description: "${LONG}", context: "${LONG}" }
sites:
  main: { adoptId: ${site}, name: spring.example, project: spring }
pages:
`;
  folder.write("landform.yaml", `${around}${lines.join("\n")}\n`);
}

const offer = (id: string): string[] => ["  offer:", `    adoptId: ${id}`, "    name: Offer", "    project: spring"];

/** Exports only declared values, and nothing that the template brought along. */
const merged = async (options: Parameters<TestFolder["export"]>[1] = {}) =>
  folder.export(account, { include: ["project", "site", "page"], ...options });

test("steps in another order take their comments along", async () => {
  const ids = [await page("One", "1"), await page("Two", "2")] as const;
  const steps = [
    { pageId: ids[0], pageType: "presell" },
    { url: "https://x.example/a", pageType: "checkout" },
    { pageId: ids[1], pageType: "thankyou" },
  ] as const;
  const { id } = await account.api.funnels.create({ name: "Way", project_id: project, pages: steps });
  const entry = (key: string, of: string): string =>
    `  ${key}: { adoptId: ${of}, project: spring, content: { hero.text: Plain, hero.title: "${ids.indexOf(of) + 1}" } }`;
  const first = ["      # the way in", "      - page: one # the offer", "        pageType: presell # a presell"];
  const second = ["      # elsewhere", "      - url: https://x.example/a # outside", "        pageType: checkout"];
  const third = ["      # last", "      - { page: two, pageType: thankyou } # bye"];
  const pages = [entry("one", ids[0]), entry("two", ids[1])];
  const way = ["funnels:", "  way:", `    adoptId: ${id}`, "    name: Way", "    project: spring", "    steps:"];
  manifest(...pages, ...way, ...first, ...second, ...third);
  const options = { include: ["project", "site", "page", "funnel"] } as const;
  await merged(options);
  const before = folder.read();
  await account.api.funnels.update({ funnel_id: id, pages: [steps[1], steps[0], steps[2]] });
  expect((await merged(options)).updated).toEqual(["funnels.way.steps"]);
  expect(folder.read()).toBe(before.replace([...first, ...second].join("\n"), [...second, ...first].join("\n")));
  expect(await merged(options)).toMatchObject({ files: [], updated: [] });
});

describe("variables", () => {
  const entry = (id: string, ...more: string[]): string[] => [
    ...offer(id),
    ...more,
    "    variables: { brand: Acme, city: Oslo }",
    "    content:",
    '      hero.title: "Hello {{brand}}!"',
  ];

  test("a text keeps placeholders whose values nobody edited, and takes in no text that the template rendered", async () => {
    const id = await page("Offer", "Hello {{brand}}!", "By {{brand}} in {{city}}");
    manifest(...entry(id, "    template: tpl-hero"));
    const stack = new Stack(account);
    await stack.up(folder);
    await merged();
    expect(folder.read()).not.toContain("hero.text");
    const before = folder.read();
    await account.edit(id, { "hero.title": "Hello Acme and more!", "hero.text": "By Acme, in Oslo" });
    expect((await merged()).updated).toEqual(["pages.offer.content.hero.title"]);
    expect(folder.read()).toBe(before.replace('"Hello {{brand}}!"', '"Hello {{brand}} and more!"'));
    await stack.refresh();
    expect(await stack.pendingOf(folder)).toEqual([]);
    expect((await merged()).files).toEqual([]);
    stack.close();
  });
});

describe("values from outside", () => {
  test("an edited one is left as declared, and told; one that is not known is not compared", async () => {
    const id = await page("Offer", "Live title", "Live text");
    manifest(
      ...offer(id),
      "    content: { hero.title: { env: TITLE }, hero.text: { config: text, default: Fallback } }",
    );
    await merged();
    const before = folder.read();
    const known = { env: { TITLE: "Declared" }, config: (key: string) => (key === "text" ? { value: "Other" } : {}) };
    expect(await merged({ outside: known })).toMatchObject({
      files: [],
      kept: ["pages.offer.content.hero.title ({ env: TITLE })", "pages.offer.content.hero.text ({ config: text })"],
    });
    expect(await merged({ outside: { env: { TITLE: "Live title" } } })).toMatchObject({ files: [], kept: [] });
    const unset = { env: { TITLE: "Live title" }, config: () => ({}) };
    expect(await merged({ outside: unset })).toMatchObject({
      files: [],
      kept: ["pages.offer.content.hero.text ({ config: text })"],
    });
    expect(folder.read()).toBe(before);
  });
});

describe("texts that two pages share", () => {
  const two = (first: string, second: string, ids: readonly string[]): string[] => [
    ...["one", "two"].flatMap((key, index) => [
      `  ${key}:`,
      `    adoptId: ${ids[index] ?? ""}`,
      "    project: spring",
      `    content: { hero.title: ${index === 0 ? first : second}, hero.text: Plain }`,
    ]),
  ];

  test("an anchor: the page that takes it gets a value of its own, and the one that has it is told with both places", async () => {
    const ids = [await page("one", "Shared"), await page("two", "Shared")];
    manifest(...two("&t Shared", "*t", ids));
    await merged();
    await account.edit(ids[0] ?? "", { "hero.title": "Mine" });
    expect((await merged()).kept.join()).toMatch(
      /^pages\.one\.content\.hero\.title \(\S*:\d+ and \S*:\d+ share one value/,
    );
    await account.edit(ids[1] ?? "", { "hero.title": "Mine" });
    expect((await merged()).updated).toEqual(["pages.two.content.hero.title"]);
    expect((await merged()).updated).toEqual(["pages.one.content.hero.title"]);
    expect(await merged()).toMatchObject({ files: [], updated: [], kept: [] });
  });

  test("a file: the one that changed gets its own, whichever it is, and both change together", async () => {
    const ids = [await page("one", "Shared"), await page("two", "Shared")];
    const form = "{ file: title.json }";
    for (const changed of [0, 1]) {
      folder.write("title.json", "Shared");
      manifest(...two(form, form, ids));
      for (const id of ids) await account.edit(id, { "hero.title": "Shared" });
      await merged();
      await account.edit(ids[changed] ?? "", { "hero.title": "Mine" });
      expect((await merged()).updated).toEqual([`pages.${changed === 0 ? "one" : "two"}.content.hero.title`]);
      expect(await merged()).toMatchObject({ files: [], updated: [] });
      expect(folder.read("title.json")).toBe("Shared");
    }
    manifest(...two(form, form, ids));
    for (const id of ids) await account.edit(id, { "hero.title": "Ours" });
    await merged();
    expect(folder.read("title.json")).toBe("Ours");
    await settles(account, folder);
  });
});

test("what somebody deleted is adopted no more", async () => {
  const ids = [await page("Stays", "1"), await page("Goes", "2")];
  manifest(
    `  stays: { adoptId: ${ids[0] ?? ""}, name: Stays, project: spring, template: tpl-hero }`,
    "  goes:",
    `    adoptId: ${ids[1] ?? ""} # once`,
    "    name: Goes",
    "    project: spring",
    "    template: tpl-hero",
  );
  await merged();
  for (const id of ids) await account.api.pages.delete(id);
  expect(await merged()).toMatchObject({ gone: ["pages.stays", "pages.goes"], kept: [] });
  expect(folder.read()).not.toContain(ids[0]);
  expect(folder.read()).toContain("  goes:\n    name: Goes\n");
  await settles(account, folder);
});

test("a file that somebody changes while the account is read is not overwritten", async () => {
  const id = await page("Offer", "One");
  manifest(`  offer: { adoptId: ${id}, name: Offer, project: spring }`);
  await merged();
  await account.edit(id, { "hero.title": "Two" });
  let changed = "";
  const exporting = merged({
    onProgress: () => {
      changed = `${folder.read()}# mine\n`;
      folder.write("landform.yaml", changed);
    },
  });
  await expect(exporting).rejects.toThrow(/landform\.yaml was changed by somebody else/);
  expect(folder.read()).toBe(changed);
});
