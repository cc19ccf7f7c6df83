import { describe, expect, test } from "vitest";
import type { PropertyMap } from "../../engine/index.ts";
import {
  byHand,
  calls,
  CheckError,
  HERO,
  madeForAll,
  nextRun,
  publications,
  ResourceTest,
  applied,
  worldOfAll,
} from "./harness.ts";
import { editInApp, textsInApp } from "../suite/app.ts";

const world = worldOfAll();
const project = madeForAll(world, "project", "pages");
const site = madeForAll(world, "site", "main.example", () => ({ projectId: project.id }));

const hero = (more: PropertyMap = {}): PropertyMap => ({ ...HERO, projectId: project.id, ...more });
const full = HERO.variables;
const textsOf = async ({ id }: ResourceTest): Promise<string> => JSON.stringify(await textsInApp(world, id));

describe("creation", () => {
  test("from a template, with content, variables and publication, in that order", async () => {
    const publish = { siteId: site.id, slug: "offer" };
    const page = await applied(world, "page", "offer", hero({ content: { "hero.title": "Hello {{brand}}" }, publish }));
    const made = calls(world);
    const order = [
      "POST /pages/from-template",
      "PATCH /pages/content",
      "POST /pages/replace-variables",
      "PATCH /pages/metadata",
      "POST /pages/validate-before-publish",
      "POST /pages/publish",
    ];
    expect(made.filter((call) => order.includes(call))).toEqual(order);
    expect(page.outputs).toMatchObject({
      status: "published",
      slug: "offer",
      pageName: "offer",
      name: "offer (main.example)",
      content: { "hero.title": "Hello Acme" },
    });
    const url = page.outputs["url"] as string;
    const seen = await fetch(url.replace(/\/\/[^/:]+/, "//127.0.0.1"), { headers: { host: new URL(url).host } });
    expect(seen.status).toBeLessThan(500);
  });

  test("as a copy of another page", async () => {
    const source = await applied(world, "page", "source", hero({ content: { "hero.title": "Copied" } }));
    const inputs = { duplicateOf: source.id, projectId: project.id };
    const copy = await applied(world, "page", "copy", inputs);
    expect(await textsOf(copy)).toContain("Copied");
    expect(copy.outputs).toMatchObject({ pageName: "copy", projectId: project.id });
  });
});

describe("content", () => {
  test("an undeclared key edited by hand is left alone; a declared one is shown and repaired", async () => {
    const declared = hero({ content: { "hero.title": "Ours" } });
    const page = await applied(world, "page", "by-hand", declared);
    await editInApp(world, page.id, { "hero.text": "Theirs" });
    await page.refresh();
    expect((await page.diff(declared)).changes).toBe("none");
    await editInApp(world, page.id, { "hero.title": "Theirs" });
    await page.refresh();
    expect(page.state?.inputs?.["content"]).toEqual({ "hero.title": "Theirs" });
    expect(await page.apply(declared)).toBe("updated");
    expect(await textsInApp(world, page.id)).toMatchObject({ "hero.text": "Theirs", "hero.title": "Ours" });
  });

  test("an unknown key fails by name with the nearest: a new page goes again, one that is there keeps the others, and the next run finishes", async () => {
    const page = new ResourceTest(world, "page", "missing");
    const declared = (content: Record<string, string>) => hero({ content });
    const [wrong, right] = [declared({ "hero.title": "Kept", "hero.titel": "x" }), declared({ "hero.title": "Kept" })];
    const said = /no content key "hero\.titel" \(did you mean "hero\.title"\?\)/;
    await expect(page.up(wrong)).rejects.toThrow(said);
    expect(page.state).toBeUndefined();
    expect(JSON.stringify(world.emulator.records()["pages"])).not.toContain('"missing');
    expect(await page.apply(declared({ "hero.title": "First" }))).toBe("created");
    await expect(page.up(wrong)).rejects.toThrow(said);
    expect(page.outputs["content"]).toEqual({ "hero.title": "Kept" });
    calls(world);
    expect(await page.apply(right)).toBe("updated");
    expect(page.outputs["pageName"]).toBe("missing");
  });

  test.each([
    ["emoji", "🚀 Größe 漢字"],
    ["JSON", '{"a":["b"]}'],
    ["several lines", "a\n\n  b\r\n\tc"],
    ["1 MB", "x".repeat(1_000_000)],
    ["markup", "<b>&amp;</b>"],
  ])("%s round-trips", async (name, value) => {
    const declared = hero({ content: { "hero.title": value } });
    const page = await applied(world, "page", `value ${name}`, declared);
    expect(page.outputs["content"]).toEqual({ "hero.title": value });
    await page.refresh();
    expect((await page.diff(declared)).changes).toBe("none");
  });
});

describe("variables", () => {
  const declared = (variables: Record<string, string>): PropertyMap =>
    hero({ content: { "hero.title": "{{brand}} for {{ who }}" }, variables });
  const title = async (page: ResourceTest): Promise<unknown> => {
    await page.refresh();
    return (page.outputs["content"] as Record<string, unknown>)["hero.title"];
  };

  test("a changed variable renders the texts again; a removed one leaves them, and a new value renders them again", async () => {
    const page = await applied(world, "page", "variables", declared({ brand: "Acme", who: "teams" }));
    expect(await title(page)).toBe("Acme for teams");
    expect(await page.apply(declared({ brand: "Beta", who: "teams" }))).toBe("updated");
    expect(await title(page)).toBe("Beta for teams");
    expect(await textsOf(page)).not.toContain("Acme");
    expect(await textsOf(page)).toContain("New from Beta");
    await page.apply(declared({ brand: "Beta" }));
    expect(await title(page)).toBe("Beta for teams");
    await page.apply(declared({ brand: "Beta", who: "all" }));
    expect(await title(page)).toBe("Beta for all");
  });

  test("a value that holds a placeholder is refused before anything is sent", async () => {
    const page = new ResourceTest(world, "page", "nested");
    const inputs = {
      ...hero({ content: { "hero.title": "{{brand}}" }, publish: { siteId: site.id, slug: "nested" } }),
      variables: { brand: "{{x}}" },
    };
    const refused = page.up(inputs);
    await expect(refused).rejects.toBeInstanceOf(CheckError);
    await expect(refused).rejects.toThrow(/variables.brand: holds \{\{x\}\}.*write the text itself/);
    expect(calls(world)).toEqual([]);
    expect(await page.apply({ ...inputs, variables: { brand: "Fine" } })).toBe("created");
    expect(page.outputs["status"]).toBe("published");
  });
});

describe("publication", () => {
  const published = (slug: string): PropertyMap => hero({ publish: { siteId: site.id, slug } });

  test("a changed slug publishes again; a managed change publishes again, once", async () => {
    const page = await applied(world, "page", "slugs", published("first"));
    expect(await page.apply(published("second"))).toBe("updated");
    expect(page.outputs["slug"]).toBe("second");
    calls(world);
    await page.apply({ ...published("second"), content: { "hero.title": "New" } });
    expect(publications(world)).toBe(1);
    expect(page.outputs["hasUnpublishedChanges"]).toBe(false);
  });

  test("an edit by hand shows as unpublished changes", async () => {
    const page = await applied(world, "page", "unpublished", published("unpublished"));
    await editInApp(world, page.id, { "hero.text": "x" });
    await page.refresh();
    expect(page.outputs["hasUnpublishedChanges"]).toBe(true);
  });

  describe("another page on the same path", () => {
    const variables = { ...full, product: "Mug", support_email: "help@mugs.example" };

    test("takes it over once it is ready, and the old page goes afterwards", async () => {
      const page = await applied(world, "page", "successor", published("successor"));
      const { id } = page;
      world.emulator.requests.length = 0;
      const next = { ...published("successor"), variables, templateId: "tpl-sales" };
      expect(await page.apply(next)).toBe("replaced");
      expect(page.outputs["slug"]).toBe("successor");
      const order = world.emulator.requests.map(({ method, route }) => `${method} ${route}`);
      expect(order.filter((call) => /publish$|DELETE/.test(call))).toEqual([
        "POST /pages/validate-before-publish",
        "POST /pages/publish",
        "POST /pages/publish",
        "DELETE /pages/{pageId}",
      ]);
      expect(page.id).not.toBe(id);
    });

    test("stays away from it until it is ready; the old page is seen all the while", async () => {
      const page = await applied(world, "page", "unready", published("unready"));
      const { id } = page;
      const unready = { ...published("unready"), variables: {}, templateId: "tpl-sales" };
      await expect(page.up(unready)).rejects.toThrow(/not ready/);
      expect(page.id).not.toBe(id);
      expect(await byHand(world, "GET", `/pages/${id}`)).toMatchObject({ status: "published", slug: "unready" });
      expect(await page.apply({ ...unready, variables })).toBe("updated");
      expect(page.outputs["slug"]).toBe("unready");
    });

    test("of a resource of another name is told with the alias that helps", async () => {
      const page = await applied(world, "page", "old-name", published("renamed"));
      await nextRun(world, async (client) => {
        const renamed = new ResourceTest(world, "page", "new-name").handTo(client);
        const told = new RegExp(`page ${page.id} .*has the path /renamed .*aliases`);
        await expect(renamed.up(published("renamed"))).rejects.toThrow(told);
      });
    });
  });
});
