/** What random walks found, each as the few steps that show it, in one process. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Command, WalkDesk } from "./desk.ts";
import { emptyProgram, manifestOf, type Program } from "./program.ts";

let desk: WalkDesk;
let program: Program;
beforeEach(async () => {
  desk = await WalkDesk.open();
  program = emptyProgram();
  program.sites["main"] = { name: "main.example" };
});
afterEach(() => desk.close());

function page(slug: string, content: Record<string, string> = { "hero.title": "Hello {{brand}}" }) {
  return { template: "tpl-hero", content, variables: { brand: "Acme" }, publish: { site: "main", slug } };
}

/** Up, after which a second one plans nothing. */
async function up(...options: string[]): Promise<Command> {
  desk.declare(manifestOf(program));
  const done = await desk.run("up", "--yes", "--force", ...options);
  expect(done.printed).toContain("Done");
  expect(done.code, done.printed).toBe(0);
  const again = await desk.run("preview", "--detailed-exitcode", ...options);
  expect(again.code, again.printed).toBe(0);
  return done;
}

async function preview(...options: string[]): Promise<Command> {
  desk.declare(manifestOf(program));
  return desk.run("preview", ...options);
}

test("a text with a placeholder is shown in the next plan: it is no secret, though it is kept like one", async () => {
  program.pages["home"] = page("home");
  await up();
  program.pages["home"] = page("home", { "hero.title": "Bye {{brand}}" });
  const { report } = await preview();
  const [change] = report.changes;
  expect(change?.fields).toEqual([
    { path: 'content["hero.title"]', kind: "update", old: "Hello {{brand}}", new: "Bye {{brand}}" },
  ]);
  await up();
});

test("the drafts of a renamed page are looked at by the name that the state knows it by", async () => {
  program.pages["home"] = page("home");
  await up();
  const { home } = program.pages;
  program.pages = { start: { ...home, name: "Start", options: { aliases: ["home"] } } };
  const { report } = await preview();
  expect(report.warnings).toEqual([]);
  expect(report.changes).toMatchObject([{ op: "update", name: "start" }]);
  await up();
});

const BRIEF = "A text about the brand, its customers and what it offers them, word by word. ".repeat(3);
const project = { description: BRIEF, context: BRIEF };

const objects = (collection: string) => desk.emulator.records()[collection] ?? [];
const idOf = (name: string) => desk.state().find(({ urn }) => urn.endsWith(`::${name}`))?.id ?? "";
const failuresOf = ({ report }: Command) => report.failures.map(({ message }) => message).join("\n");

describe("what is sure to fail, fails in preview", () => {
  test("an update of what somebody deleted, and the advice works", async () => {
    program.pages["home"] = page("home");
    program.products["mug"] = { price: 1 };
    await up();
    await desk.byHand("DELETE", `/pages/${idOf("home")}`);
    await desk.byHand("DELETE", `/products/${idOf("mug")}`);
    program.pages["home"] = page("home", { "hero.title": "Bye" });
    program.products["mug"] = { price: 2 };
    const refused = await preview();
    expect(refused.code).toBe(4);
    expect(failuresOf(refused)).toMatch(
      /page page_\w+ is no longer in the account: somebody deleted it. With --refresh/,
    );
    expect(failuresOf(refused)).toMatch(/product prod_\w+ is no longer in the account/);
    await up("--refresh");
    expect([objects("pages"), objects("products")].map((list) => list.length)).toEqual([1, 1]);
  });

  test("a funnel that leads to a page that somebody deleted", async () => {
    program.pages["home"] = page("home");
    program.quizzes["fit"] = { template: "tpl-quiz-plan", variables: { brand: "Acme" } };
    await up();
    await desk.byHand("DELETE", `/pages/${idOf("home")}`);
    program.funnels["buy"] = {
      steps: [
        { page: "home", pageType: "presell" },
        { quiz: "fit", pageType: "quiz" },
      ],
    };
    const refused = await preview();
    expect(refused.code).toBe(4);
    expect(failuresOf(refused)).toMatch(/Funnel buy: steps\[0\]\.pageId: .*There is no page/);
    await up("--refresh");
  });

  test("and one of which another step changes: a list of steps is sent as a whole", async () => {
    const steps = (url: string) => [
      { page: "home", pageType: "presell" },
      { url, pageType: "sales" },
    ];
    program.pages["home"] = page("home");
    program.funnels["buy"] = { steps: steps("https://pay.example/1") };
    await up();
    await desk.byHand("DELETE", `/pages/${idOf("home")}`);
    program.funnels["buy"] = { steps: steps("https://pay.example/2") };
    const refused = await preview();
    expect(refused.code).toBe(4);
    expect(failuresOf(refused)).toMatch(/Funnel buy: steps\[0\]\.pageId: .*There is no page/);
    await up("--refresh");
  });

  test("taking over what is not there any more, when it is new and when it was taken over before", async () => {
    const { id } = (await desk.byHand("POST", "/products", { name: "Theirs" })) as { id: string };
    program.products["mug"] = { adoptId: id };
    await up();
    await desk.byHand("DELETE", `/products/${id}`);
    const again = await preview("--refresh");
    expect(again.code).toBe(4);
    expect(failuresOf(again)).toMatch(/adoptId: there is no product "prod_\w+" in this account.*remove adoptId/);
    program.products["mug"] = {};
    await up("--refresh");
    program.products["cup"] = { adoptId: "prod_nothere" };
    expect(failuresOf(await preview())).toMatch(/adoptId: there is no product "prod_nothere"/);
  });

  test("the deletion of a project that others still use: what is in the way is named", async () => {
    program.projects["spring"] = project;
    program.pages["home"] = { ...page("home"), project: "spring" };
    await up();
    const { id } = (await desk.byHand("POST", "/products", { name: "Theirs", project_id: idOf("spring") })) as {
      id: string;
    };
    program.projects = {};
    program.pages["home"] = page("home");
    const refused = await preview();
    expect(refused.code).toBe(4);
    expect(failuresOf(refused)).toContain(`page "home" (main.example)" (${idOf("home")})`.replace('home"', "home"));
    expect(failuresOf(refused)).toContain(`product "Theirs" (${id})`);
    program.projects["spring"] = { ...project, options: { retainOnDelete: true } };
    await up();
    program.projects = {};
    await up();
    expect(objects("projects")).toHaveLength(1);
  });

  test("a project whose pages move to another one, or go, is deleted", async () => {
    program.projects["spring"] = project;
    program.projects["summer"] = project;
    program.pages["home"] = { ...page("home"), project: "spring" };
    program.products["mug"] = { price: 1, project: "spring" };
    await up();
    delete program.projects["spring"];
    program.pages["home"] = { ...page("home"), project: "summer" };
    program.products = {};
    await up();
    expect(objects("projects")).toHaveLength(1);
  });
});

test("a project that a retired funnel keeps is said to stay before it does", async () => {
  program.projects["spring"] = project;
  program.funnels["buy"] = { project: "spring", steps: [{ url: "https://pay.example", pageType: "sales" }] };
  await up();
  program.projects = {};
  program.funnels = {};
  const { report } = await preview();
  expect(report.counts).toMatchObject({ delete: 0, left: 2 });
  expect(report.changes).toMatchObject([{ stays: "retired" }, { type: "Project", op: "delete", stays: "in place" }]);
  const done = await up();
  expect(done.report.counts).toMatchObject({ delete: 0, left: 2 });
  expect(objects("projects")).toHaveLength(1);
});

test("a replacement that keeps the old object says so", async () => {
  program.pages["home"] = { ...page("home"), options: { retainOnDelete: true } };
  await up();
  program.pages["home"] = {
    ...page("home"),
    template: "tpl-lead-magnet",
    variables: { brand: "Acme", year: "2026" },
    options: { retainOnDelete: true },
  };
  const { report } = await preview();
  expect(report.changes).toMatchObject([
    {
      op: "replace",
      note: "the old one stays in the account, and is no longer managed; it makes way at the address, to one beside it",
    },
  ]);
  await up();
  expect(objects("pages")).toHaveLength(2);
});

describe("a site whose project", () => {
  beforeEach(async () => {
    program.projects["spring"] = project;
    program.sites["main"] = { name: "main.example", project: "spring" };
    program.pages["home"] = { ...page("home"), project: "spring" };
    await up();
  });

  test("was deleted in the app: the project is made anew, the site stays where it is, and the stack goes on", async () => {
    const before = idOf("main");
    desk.emulator.dropProject(idOf("spring"));
    const planned = await preview("--refresh");
    expect(planned.code, planned.printed).toBe(0);
    const done = await up("--refresh");
    expect(done.printed).toMatch(/Site site_\w+ stays with project proj_\w+, which is gone: the API can't move it/);
    expect(idOf("main")).toBe(before);
    expect(objects("pages")).toMatchObject([{ projectId: idOf("spring") }]);
    program.pages["home"] = { ...page("home", { "hero.title": "Bye" }), project: "spring" };
    await up();
    await up("--refresh");
  });

  test("has another logical name: refused in preview with the alias, which leads on", async () => {
    program.projects = { summer: project };
    program.sites["main"] = { name: "main.example", project: "summer" };
    program.pages["home"] = { ...page("home"), project: "summer" };
    const refused = await preview();
    expect(refused.code).toBe(4);
    expect(failuresOf(refused)).toContain("its logical name changed");
    program.projects = { summer: { ...project, options: { aliases: ["spring"] } } };
    await up();
    expect(objects("projects")).toHaveLength(1);
  });

  test("is another one, which the API can't bring about: refused in preview, and what the message names leads on", async () => {
    program.projects["summer"] = { ...project, name: "Summer" };
    await up();
    program.sites["main"] = { name: "main.example", project: "summer" };
    const refused = await preview();
    expect(refused.code).not.toBe(0);
    expect(failuresOf(refused)).toMatch(/Site "main", projectId: the API can't change a site.*ignoreChanges/);
    program.sites["main"] = { name: "main.example", project: "summer", options: { ignoreChanges: ["project"] } };
    await up();
  });
});

test("a page that somebody moved stays there when something else is published with it, until a refresh", async () => {
  program.pages["home"] = page("home");
  await up();
  await desk.byHand("POST", "/pages/publish", { page_id: idOf("home"), site_id: idOf("main"), slug: "elsewhere" });
  program.pages["home"] = page("home", { "hero.title": "Bye" });
  const done = await up();
  expect(done.printed).toMatch(
    /is at \/elsewhere of site site_\w+, where somebody moved it in the app, and stays there/,
  );
  expect(objects("pages")).toMatchObject([{ slug: "elsewhere" }]);
  const back = await preview("--refresh");
  expect(back.report.changes).toMatchObject([
    { op: "update", fields: [{ path: "publish.slug", old: "elsewhere", new: "home" }] },
  ]);
  await up("--refresh");
  expect(objects("pages")).toMatchObject([{ slug: "home" }]);
});

test("a path whose page is deleted in the same run is free for the new one after a refresh, too", async () => {
  program.pages["home"] = page("home");
  await up();
  program.pages = { start: page("home", { "hero.title": "Start" }) };
  await up("--refresh");
  expect(objects("pages")).toMatchObject([{ pageName: "start", slug: "home" }]);
});

test("what the code no longer declares is no drift, whatever becomes of it in the app", async () => {
  program.products["mug"] = { price: 1, rating: "4.2" };
  program.pages["home"] = page("home", { "hero.title": "Hello", "hero.text": "Text" });
  await up();
  program.products["mug"] = { price: 1 };
  program.pages["home"] = page("home", { "hero.title": "Hello" });
  await up();
  await desk.byHand("PATCH", "/products", { product_id: idOf("mug"), rating: "3.9" });
  await desk.byHand("PATCH", "/pages/content", { page_id: idOf("home"), updates: { "hero.text": "By hand" } });
  const { code, report } = await desk.run("drift", "--full", "--detailed-exitcode");
  expect([code, report.drift]).toEqual([0, []]);
  await desk.byHand("PATCH", "/products", { product_id: idOf("mug"), price: 9 });
  const found = await desk.run("drift", "--detailed-exitcode");
  expect(found.code).toBe(2);
  expect(found.report.drift).toMatchObject([
    { name: "mug", fields: [{ path: "price", lastRun: 1, live: 9, code: 1 }] },
  ]);
  await up("--refresh");
});

test("a property that a node's patch no longer names stays, and nothing is planned for it", async () => {
  program.pages["home"] = { template: "tpl-hero", variables: { brand: "Acme" } };
  await up();
  const { tree } = (
    (await desk.byHand("GET", `/pages/builder?page_id=${idOf("home")}`)) as {
      builder: { tree: { sections: { id: string }[] } };
    }
  ).builder;
  const node = tree.sections[0]?.id ?? "";
  const patched = (style: object) => ({ ...program.pages["home"], nodes: { [node]: { style } } });
  program.pages["home"] = patched({ color: "red", padding: 3 });
  await up();
  program.pages["home"] = patched({ color: "red" });
  const less = await preview();
  expect(less.report.changes).toEqual([]);
  expect(less.report.unmanaged?.join()).toContain(`nodes.${node}.style.padding stays as it is`);
  await up();
  program.pages["home"] = patched({ color: "blue" });
  expect((await preview()).report.changes).toMatchObject([
    { op: "update", fields: [{ path: `nodes.${node}.style.color`, old: "red", new: "blue" }] },
  ]);
  await up();
  // The service keeps styles as texts.
  expect(JSON.stringify(objects("documents"))).toMatch(/"padding":"?3"?/);
});

test("a hook that was deleted and is declared anew is a new subscription", async () => {
  const hook = { eventType: "form_lead.created", targetUrl: "https://8.8.8.8/leads" };
  program.hooks["leads"] = hook;
  await up();
  program.hooks = {};
  await up();
  program.hooks["leads"] = hook;
  const again = await preview();
  expect(again.report.changes).toMatchObject([{ op: "create", name: "leads" }]);
  await up();
  expect(objects("hooks")).toMatchObject([{ active: false }, { active: true, id: idOf("leads") }]);
});

describe("with targets", () => {
  beforeEach(async () => {
    program.pages["home"] = page("home");
    program.products["mug"] = { price: 1 };
    program.funnels["buy"] = { steps: [{ page: "home", pageType: "presell" }] };
    await up();
    // Registered before the page now, which it needed.
    program.funnels["buy"] = { steps: [{ url: "https://pay.example", pageType: "sales" }] };
    program.products["mug"] = { price: 2 };
  });

  test("what another one needed before, and the program registers after it, is one resource", async () => {
    await up("--target", "Product/mug");
    await up();
  });

  test("and is changed where it is a target", async () => {
    program.pages["home"] = page("home", { "hero.title": "Bye" });
    await up("--target", "Page/home");
    await up();
  });

  test("and keeps its object under another name", async () => {
    const before = idOf("home");
    program.pages = { start: { ...page("home"), name: "home", options: { aliases: ["home"] } } };
    await up("--target", "Product/mug");
    expect(idOf("home")).toBe(before);
    await up();
    expect(idOf("start")).toBe(before);
  });

  test("and stays where the program no longer has it", async () => {
    program.pages = {};
    const done = await preview("--target", "Product/mug");
    expect(done.report.changes).toMatchObject([{ op: "update", name: "mug" }]);
    await up("--target", "Product/mug");
    expect(objects("pages")).toHaveLength(1);
    await up();
    expect(objects("pages")).toEqual([]);
  });
});

test("targets that swap their paths, with names as a user writes them", async () => {
  program.pages = { home: page("home"), shop: page("shop", { "hero.title": "Shop" }) };
  await up();
  program.pages = { home: page("shop"), shop: page("home", { "hero.title": "Shop" }) };
  await up("--target", "Page/home", "--target", "Page/shop");
  expect(objects("pages")).toMatchObject([{ slug: "shop" }, { slug: "home" }]);
  await up();
});

describe("what is taken over by its id", () => {
  beforeEach(async () => {
    program.pages["home"] = page("home");
    await up();
    program.pages["home"] = { ...page("home"), adoptId: idOf("home") };
    await up();
  });

  test("is not replaced by itself, and then deleted: refused in preview, and what the message says leads on", async () => {
    const before = idOf("home");
    const { publish: _, ...draft } = page("home");
    for (const changed of [{ ...page("home"), template: "tpl-thankyou" }, draft]) {
      program.pages["home"] = { ...changed, adoptId: before };
      const refused = await preview();
      expect(refused.code).not.toBe(0);
      expect(failuresOf(refused)).toMatch(
        /makes a new page and deletes page page_\w+, and adoptId names that one. Remove adoptId/,
      );
    }
    expect(objects("pages")).toMatchObject([{ id: before, slug: "home" }]);
    program.pages["home"] = {
      ...page("home"),
      template: "tpl-thankyou",
      variables: { brand: "Acme", support_email: "a@b.example" },
    };
    await up();
    expect(idOf("home")).not.toBe(before);
    expect(objects("pages")).toMatchObject([{ id: idOf("home"), slug: "home" }]);
  });
});
