/** Findings of random walks about adopted pages, each as its few steps in one process. */
import { beforeEach, describe, expect, test } from "vitest";
import { failuresOf, openTrial, page } from "../trial.ts";
import { thorough } from "../../suite/parts.ts";
import { editInApp, liveOf } from "../../suite/app.ts";

const trial = openTrial();

describe("a page that somebody published, and has edited since", () => {
  let id: string;

  beforeEach(async () => {
    await trial.up();
    id = await trial.theirs("tpl-hero", { siteId: trial.idOf("main"), slug: "home" });
    // The page of an earlier run beside it shows how far apart the service's own dates lie.
    trial.program.pages["other"] = page("other");
    await trial.up();
    await editInApp(trial.desk, id, { "hero.title": "By hand" });
    const { variables: _, ...declared } = page("home", { "hero.title": "By hand" });
    trial.program.pages["home"] = { ...declared, name: "Theirs", adoptId: id };
  });

  thorough("is taken over as it is without it, and both plan and run say what waits", async () => {
    const planned = await trial.preview();
    expect(planned.report.impact?.alsoLive).toMatchObject([{ name: "home", policy: "hold", asItIs: true }]);
    expect(planned.printed).not.toContain("holds back Page home");
    const { printed } = await trial.up();
    expect(printed).toMatch(
      /taken over as it is public, and its draft holds edits that are not: .*Publish or undo them/,
    );
    expect(liveOf(trial.desk, id)).not.toContain("By hand");
    // A change of ours is still held back.
    const { variables: _, ...declared } = page("home", { "hero.title": "By hand", "hero.text": "Ours" });
    trial.program.pages["home"] = { ...declared, name: "Theirs", adoptId: id };
    expect((await trial.upEnds(1)).report.held).toMatchObject([{ name: "home" }]);
    await trial.up("--foreign-edits", "include");
    expect(liveOf(trial.desk, id)).toContain("By hand");
  });
});

describe("a page that can't be published is not taken over halfway: refused in preview, and what the message says leads on", () => {
  const variables = { brand: "Acme", support_email: "help@acme.example" };
  const publish = { site: "main", slug: "home" };

  thorough("for placeholders that its own texts hold", async () => {
    await trial.up();
    const id = await trial.theirs("tpl-thankyou");
    trial.program.pages["home"] = { adoptId: id, publish };
    expect(await trial.refusal(4)).toMatch(/^Page home: publish: its texts hold {{brand}}.* under variables/);
    trial.program.pages["home"] = { adoptId: id, publish, variables };
    await trial.up();
    expect(trial.objects("pages")).toMatchObject([{ id, status: "published", slug: "home" }]);
  });

  thorough("since it is blank", async () => {
    await trial.up();
    const id = await trial.make("/pages", { name: "Blank" });
    trial.program.pages["home"] = { adoptId: id, publish };
    expect(failuresOf(await trial.preview())).toMatch(
      /publish: page page_\w+ can't be published as it is: .*no sections/,
    );
    trial.program.pages["home"] = { adoptId: id };
    await trial.up();
  });

  thorough("since another page has its path", async () => {
    await trial.up();
    const holder = await trial.theirs("tpl-thankyou", { siteId: trial.idOf("main"), slug: "home" });
    const id = await trial.theirs("tpl-thankyou");
    trial.program.pages["home"] = { adoptId: id, publish, variables };
    expect(failuresOf(await trial.preview())).toContain(`/home is taken on this site by "Theirs" (${holder})`);
    trial.program.pages["home"] = { adoptId: id, publish: { site: "main", slug: "start" }, variables };
    await trial.up();
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
  trial.program.pages["home"] = { publish: { site: "other", slug: "home" } };
  expect(await trial.refusal(4)).toContain(
    "it would be empty, and an empty page can't be published. Name a template or duplicateOf",
  );
  await trial.upEnds(4, "--force");
  expect(trial.objects("pages").map((one) => one.id)).toEqual([id]);
});
