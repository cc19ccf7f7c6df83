/** A person edits a text of the run between its write and its look: the run never takes the edit for the service's own spelling. */
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { notShownDefaults } from "../../emulator/index.ts";
import type { PropertyMap } from "../../engine/index.ts";
import { Between, type Asked } from "../faults/between.ts";
import { openHost, openWorld, ResourceTest, applied } from "./harness.ts";
import { refreshPlansNothing, unique } from "./table.ts";
import { forAllTests } from "../suite/opened.ts";
import { editInApp, textsInApp } from "../suite/app.ts";

const HAND = "Words of somebody else";
const KEY = "hero.title";

const world = forAllTests(() => openWorld());
let siteId: string;
let between: Between;
let run: ReturnType<typeof openHost>;
beforeAll(async () => {
  const site = await applied(world, "site", "meanwhile.example", {});
  siteId = site.id;
});
beforeEach(async () => {
  world.emulator.faults.clear();
  Object.assign(world.emulator.notShown, notShownDefaults);
  between = new Between(world.emulator);
  run = openHost(world.emulator, { LANDFORM_BASE_URL: await between.listen() });
});
afterEach(async () => {
  between.close();
  await run.host.close();
});

const declared = (title: string, more: PropertyMap = {}): PropertyMap => ({
  templateId: "tpl-hero",
  variables: { brand: "Acme" },
  content: { [KEY]: title, "hero.text": "What we declare of the text" },
  ...more,
});

function newPage(): { page: ResourceTest; publish: PropertyMap } {
  const slug = unique("meanwhile");
  const page = new ResourceTest(world, "page", slug).handTo(run.host.client);
  return { page, publish: { publish: { siteId, slug } } };
}

/** Edits once, after the answer to the first write of texts for which `isIt` is true. */
function editAfterWrite(isIt: (asked: Asked) => boolean, text: string): void {
  let [written, edited] = [false, false];
  between.turn = async ({ path, body }) => {
    if (written && !edited) {
      edited = true;
      const { page_id } = JSON.parse(target) as { page_id: string };
      await editInApp(world, page_id, { [KEY]: text });
    }
    if (path === "/pages/content" && isIt({ path, body, method: "", url: "" })) {
      written = true;
      target = body;
    }
  };
}
let target = "";

async function titleOf(page: ResourceTest): Promise<unknown> {
  return (await textsInApp(world, page.id))[KEY];
}

async function visitors(page: ResourceTest): Promise<string> {
  const { host, pathname } = new URL(page.outputs["url"] as string);
  const response = await fetch(`${world.emulator.url}/_sites/${host.split(".")[0] ?? ""}${pathname}`);
  return response.text();
}

const told = (): string => run.printed.join("\n");

test.each(["draft", "live"] as const)(
  "of a page that is public (the map shows %s): ours is, and it is told",
  async (shows) => {
    world.emulator.notShown.contentMapShows = shows;
    const { page, publish } = newPage();
    await page.apply(declared("First title", publish));
    editAfterWrite(({ body }) => body.includes("Second title"), HAND);
    expect(await page.apply(declared("Second title", publish))).toBe("updated");
    expect(await titleOf(page)).toBe("Second title");
    expect(await visitors(page)).toContain("Second title");
    expect(await visitors(page)).not.toContain(HAND);
    expect(told()).toMatch(/somebody edited hero\.title of page \S+ while this run wrote it/);
    await refreshPlansNothing(page, declared("Second title", publish));
  },
);

test("of a draft: ours is, and it is told", async () => {
  const { page } = newPage();
  await page.apply(declared("First title"));
  editAfterWrite(({ body }) => body.includes("Own title"), HAND);
  await page.apply(declared("Own title"));
  expect(await titleOf(page)).toBe("Own title");
  expect(told()).toMatch(/somebody edited hero\.title/);
  await refreshPlansNothing(page, declared("Own title"));
});

test("where the publication is refused nothing more is written, and the edit is found later", async () => {
  const { page, publish } = newPage();
  await page.apply(declared("First title", publish));
  editAfterWrite(({ body }) => body.includes("Second title"), HAND);
  world.emulator.faults.add({ method: "POST", path: "/pages/publish", phase: "status", status: 400 });
  await expect(page.up(declared("Second title", publish))).rejects.toThrow();
  expect(await titleOf(page)).toBe(HAND);
  const included = { ...publish, onForeignEdits: "include" };
  expect(await page.apply(declared("Second title", included))).toBe("updated");
  expect(await titleOf(page)).toBe("Second title");
  expect(await visitors(page)).toContain("Second title");
});
