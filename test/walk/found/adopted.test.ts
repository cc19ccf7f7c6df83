/** Findings of random walks about adopted pages, each as its few steps in one process. */
import { describe, expect, test } from "vitest";
import { failuresOf, openTrial, page } from "../trial.ts";
import { thorough } from "../../suite/parts.ts";

const trial = openTrial();

describe("a page that can't be published is not taken over halfway: refused in preview, and what the message says leads on", () => {
  const variables = { brand: "Acme", support_email: "help@acme.example" };
  const publish = { site: "main", slug: "home" };

  thorough("for placeholders that its own texts hold", async () => {
    await trial.up();
    const id = await trial.theirs("tpl-thankyou");
    trial.program.pages["home"] = { adoptId: id, publish };
    expect(await trial.refusal(4)).toMatch(/^Page home: publish: its texts hold {{brand}}.* under variables/);
    await trial.with({ pages: { home: { adoptId: id, publish, variables } } }).up();
    expect(trial.objects("pages")).toMatchObject([{ id, status: "published", slug: "home" }]);
  });

  thorough("since it is blank", async () => {
    await trial.up();
    const id = await trial.make("/pages", { name: "Blank" });
    expect(failuresOf(await trial.with({ pages: { home: { adoptId: id, publish } } }).preview())).toMatch(
      /publish: page page_\w+ can't be published as it is: .*no sections/,
    );
    await trial.with({ pages: { home: { adoptId: id } } }).up();
  });

  thorough("since another page has its path", async () => {
    await trial.up();
    const holder = await trial.theirs("tpl-thankyou", { siteId: trial.idOf("main"), slug: "home" });
    const id = await trial.theirs("tpl-thankyou");
    trial.program.pages["home"] = { adoptId: id, publish, variables };
    expect(failuresOf(await trial.preview())).toContain(`/home is taken on this site by "Theirs" (${holder})`);
    await trial.with({ pages: { home: { adoptId: id, publish: { site: "main", slug: "start" }, variables } } }).up();
  });
});

describe("pages that swap their addresses while they are taken over", () => {
  const link = { ref: "pages.one.url" };

  test.each([
    ["both of them", ["one", "two"], {}],
    ["one of them, while the other is the stack's own", ["two"], {}],
    ["both of them, of which one links to the other", ["one", "two"], { "hero.cta.url": link }],
  ] as const)("%s", { tags: ["thorough"] }, async (_, taken, links) => {
    const kept = { retainOnDelete: true };
    trial.program.pages = { one: { ...page("one"), options: kept }, two: { ...page("two"), options: kept } };
    await trial.up();
    const ids = { one: trial.idOf("one"), two: trial.idOf("two") };
    for (const key of taken) Reflect.deleteProperty(trial.program.pages, key);
    await trial.up();
    expect(trial.objects("pages")).toHaveLength(2);
    const adopting = (key: "one" | "two") => (taken.some((one) => one === key) ? { adoptId: ids[key] } : {});
    trial.program.pages = {
      one: { ...page("two"), ...adopting("one") },
      two: { ...page("one"), content: { "hero.title": "Hello {{brand}}", ...links }, ...adopting("two") },
    };
    await trial.up();
    expect(Object.fromEntries(trial.objects("pages").map(({ id, slug }) => [id, slug]))).toEqual({
      [ids.one]: "two",
      [ids.two]: "one",
    });
  });
});

thorough("a page that the code doesn't make is not replaced by an empty one", async () => {
  const siteId = await trial.make("/sites", { name: "main.example" });
  const id = await trial.theirs("tpl-hero", { siteId, slug: "home" });
  trial.program.sites["other"] = { name: "other.example" };
  trial.program.pages["home"] = { adoptId: id, publish: { site: "main", slug: "home" } };
  await trial.up();
  expect(await trial.with({ pages: { home: { publish: { site: "other", slug: "home" } } } }).refusal(4)).toContain(
    "it would be empty, and an empty page can't be published. Name a template or duplicateOf",
  );
  await trial.upEnds(4, "--force");
  expect(trial.objects("pages").map((one) => one.id)).toEqual([id]);
});
