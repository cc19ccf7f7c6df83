import { beforeAll, describe, expect, test } from "vitest";
import { byHand, calls, LONG, nextRun, ResourceTest, applied, worldOfAll } from "./harness.ts";
import { editInApp, textsInApp } from "../suite/app.ts";

const world = worldOfAll();
let projectId: string;
let siteId: string;

beforeAll(async () => {
  const project = await applied(world, "project", "pages", { description: LONG, context: LONG });
  projectId = project.id;
  const site = await applied(world, "site", "main.example", { projectId });
  siteId = site.id;
});

const hero = (): { templateId: string; projectId: string } => ({ templateId: "tpl-hero", projectId });
const full = { brand: "Acme" };

describe("creation", () => {
  test("from a template, with content, variables and publication, in that order", async () => {
    const page = new ResourceTest(world, "page", "offer");
    const declared = {
      ...hero(),
      content: { "hero.title": "Hello {{brand}}" },
      variables: full,
      publish: { siteId, slug: "offer" },
    };
    expect(await page.apply(declared)).toBe("created");
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
    });
    expect(page.outputs["content"]).toEqual({ "hero.title": "Hello Acme" });
    const url = page.outputs["url"] as string;
    const seen = await fetch(url.replace(/\/\/[^/:]+/, "//127.0.0.1"), { headers: { host: new URL(url).host } });
    expect(seen.status).toBeLessThan(500);
  });

  test("as a copy of another page", async () => {
    const source = await applied(world, "page", "source", {
      ...hero(),
      content: { "hero.title": "Copied" },
      variables: full,
    });
    const copy = new ResourceTest(world, "page", "copy");
    expect(await copy.apply({ duplicateOf: source.id, projectId })).toBe("created");
    const texts = JSON.stringify(await textsInApp(world, copy.id));
    expect(texts).toContain("Copied");
    expect(copy.outputs).toMatchObject({ pageName: "copy", projectId });
  });
});

describe("content", () => {
  test("an undeclared key edited by hand is left alone; a declared one is shown and repaired", async () => {
    const page = new ResourceTest(world, "page", "by-hand");
    const declared = { ...hero(), content: { "hero.title": "Ours" }, variables: full };
    await page.apply(declared);
    await editInApp(world, page.id, { "hero.text": "Theirs" });
    await page.refresh();
    expect((await page.diff(declared)).changes).toBe("none");
    await editInApp(world, page.id, { "hero.title": "Theirs" });
    await page.refresh();
    expect(page.state?.inputs?.["content"]).toEqual({ "hero.title": "Theirs" });
    expect(await page.apply(declared)).toBe("updated");
    const texts = JSON.stringify(await textsInApp(world, page.id));
    expect(texts).toContain("Theirs");
    expect(texts).toContain("Ours");
  });

  test("an unknown key fails by name with the nearest: a new page goes again, one that is there keeps the others, and the next run finishes", async () => {
    const page = new ResourceTest(world, "page", "missing");
    const declared = (content: Record<string, string>) => ({ ...hero(), content, variables: full });
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
    const page = await applied(world, "page", `value ${name}`, {
      ...hero(),
      content: { "hero.title": value },
      variables: full,
    });
    expect(page.outputs["content"]).toEqual({ "hero.title": value });
    await page.refresh();
    expect((await page.diff({ ...hero(), content: { "hero.title": value }, variables: full })).changes).toBe("none");
  });
});

describe("variables", () => {
  const declared = (variables: Record<string, string>): Record<string, unknown> => ({
    ...hero(),
    content: { "hero.title": "{{brand}} for {{ who }}" },
    variables,
  });
  const title = async (page: ResourceTest): Promise<unknown> => {
    await page.refresh();
    return (page.outputs["content"] as Record<string, unknown>)["hero.title"];
  };

  test("a changed variable renders the texts again; a removed one leaves them, and a new value renders them again", async () => {
    const page = await applied(world, "page", "variables", declared({ brand: "Acme", who: "teams" }) as never);
    expect(await title(page)).toBe("Acme for teams");
    expect(await page.apply(declared({ brand: "Beta", who: "teams" }) as never)).toBe("updated");
    expect(await title(page)).toBe("Beta for teams");
    const texts = JSON.stringify(await textsInApp(world, page.id));
    expect(texts).not.toContain("Acme");
    expect(texts).toContain("New from Beta");
    await page.apply(declared({ brand: "Beta" }) as never);
    expect(await title(page)).toBe("Beta for teams");
    await page.apply(declared({ brand: "Beta", who: "all" }) as never);
    expect(await title(page)).toBe("Beta for all");
  });

  test("a value that holds a placeholder is refused before anything is sent", async () => {
    const page = new ResourceTest(world, "page", "nested");
    const inputs = {
      ...hero(),
      content: { "hero.title": "{{brand}}" },
      variables: { brand: "{{x}}" },
      publish: { siteId, slug: "nested" },
    };
    await expect(page.up(inputs)).rejects.toThrow(/variables.brand: holds \{\{x\}\}/);
    expect(calls(world)).toEqual([]);
    expect(await page.apply({ ...inputs, variables: { brand: "Fine" } })).toBe("created");
    expect(page.outputs["status"]).toBe("published");
  });
});

describe("publication", () => {
  const published = (slug?: string): Record<string, unknown> => ({
    ...hero(),
    variables: full,
    publish: { siteId, ...(slug !== undefined && { slug }) },
  });

  test("a changed slug publishes again; a managed change publishes again, once", async () => {
    const page = await applied(world, "page", "slugs", published("first") as never);
    expect(await page.apply(published("second") as never)).toBe("updated");
    expect(page.outputs["slug"]).toBe("second");
    calls(world);
    await page.apply({ ...published("second"), content: { "hero.title": "New" } });
    expect(calls(world).filter((call) => call === "POST /pages/publish")).toHaveLength(1);
    expect(page.outputs["hasUnpublishedChanges"]).toBe(false);
  });

  test("an edit by hand shows as unpublished changes", async () => {
    const page = await applied(world, "page", "unpublished", published("unpublished") as never);
    await editInApp(world, page.id, { "hero.text": "x" });
    await page.refresh();
    expect(page.outputs["hasUnpublishedChanges"]).toBe(true);
  });

  describe("another page on the same path", () => {
    const variables = { ...full, product: "Mug", support_email: "help@mugs.example" };

    test("takes it over once it is ready, and the old page goes afterwards", async () => {
      const page = await applied(world, "page", "successor", published("successor") as never);
      const { id } = page;
      world.emulator.requests.length = 0;
      const next = { ...published("successor"), variables, templateId: "tpl-sales" };
      expect(await page.apply(next as never)).toBe("replaced");
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
      const page = await applied(world, "page", "unready", published("unready") as never);
      const { id } = page;
      const unready = { ...published("unready"), variables: {}, templateId: "tpl-sales" };
      await expect(page.up(unready as never)).rejects.toThrow(/not ready/);
      expect(page.id).not.toBe(id);
      expect(await byHand(world, "GET", `/pages/${id}`)).toMatchObject({ status: "published", slug: "unready" });
      expect(await page.apply({ ...unready, variables })).toBe("updated");
      expect(page.outputs["slug"]).toBe("unready");
    });

    test("of a resource of another name is told with the alias that helps", async () => {
      const page = await applied(world, "page", "old-name", published("renamed") as never);
      await nextRun(world, async (client) => {
        const renamed = new ResourceTest(world, "page", "new-name").handTo(client);
        const told = new RegExp(`page ${page.id} .*has the path /renamed .*aliases`);
        await expect(renamed.up(published("renamed") as never)).rejects.toThrow(told);
      });
    });
  });

  test("two pages that want the same path are refused at check", async () => {
    const first = new ResourceTest(world, "page", "first-claim");
    await first.check(published("claimed") as never);
    const second = new ResourceTest(world, "page", "second-claim");
    await expect(second.check(published("Claimed") as never)).rejects.toThrow(
      /slug "claimed".*declared by "first-claim" too/,
    );
  });
});
