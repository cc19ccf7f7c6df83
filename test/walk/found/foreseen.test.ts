/** Findings of random walks about certain failures, which the plan reports before anything is sent. Each as its few steps in one process. */
import { beforeEach, describe, expect } from "vitest";
import { failuresOf, openTrial, page, project } from "../trial.ts";
import { thorough } from "../../suite/parts.ts";

const trial = openTrial();

describe("what is sure to fail, fails in preview", () => {
  thorough("an update of what somebody deleted, and the advice works", async () => {
    await trial.with({ pages: { home: page("home") }, products: { mug: { price: 1 } } }).up();
    await trial.desk.byHand("DELETE", `/pages/${trial.idOf("home")}`);
    await trial.desk.byHand("DELETE", `/products/${trial.idOf("mug")}`);
    trial.program.pages["home"] = page("home", { "hero.title": "Bye" });
    trial.program.products["mug"] = { price: 2 };
    const refused = await trial.refusal(3);
    expect(refused).toMatch(
      /somebody deleted page page_\w+ in the account\. To make it anew, run preview and up with --refresh/,
    );
    expect(refused).toMatch(/somebody deleted product prod_\w+ in the account/);
    await trial.up("--refresh");
    expect([trial.objects("pages"), trial.objects("products")].map((list) => list.length)).toEqual([1, 1]);
  });

  thorough("a funnel that leads to a page that somebody deleted", async () => {
    trial.program.pages["home"] = page("home");
    trial.program.quizzes["fit"] = { template: "tpl-quiz-plan", variables: { brand: "Acme" } };
    await trial.up();
    await trial.desk.byHand("DELETE", `/pages/${trial.idOf("home")}`);
    trial.program.funnels["buy"] = {
      steps: [
        { page: "home", pageType: "presell" },
        { quiz: "fit", pageType: "quiz" },
      ],
    };
    expect(await trial.refusal(4)).toMatch(/Funnel buy: steps\[0\]\.pageId: .*There is no page/);
    await trial.up("--refresh");
  });

  thorough("the deletion of a project that others still use: what is in the way is named", async () => {
    await trial.with({ projects: { spring: project }, pages: { home: { ...page("home"), project: "spring" } } }).up();
    const id = await trial.make("/products", { name: "Theirs", project_id: trial.idOf("spring") });
    const refused = await trial.with({ projects: {}, pages: { home: page("home") } }).refusal(4);
    expect(refused).toContain(`page "home" (${trial.idOf("home")})`);
    expect(refused).toContain(`product "Theirs" (${id})`);
    await trial.with({ projects: { spring: { ...project, options: { retainOnDelete: true } } } }).up();
    await trial.with({ projects: {} }).up();
    expect(trial.objects("projects")).toHaveLength(1);
  });
});

describe("a site whose project", () => {
  beforeEach(async () => {
    trial.program.projects["spring"] = project;
    trial.program.sites["main"] = { name: "main.example", project: "spring" };
    trial.program.pages["home"] = { ...page("home"), project: "spring" };
    await trial.up();
  });

  thorough("was deleted in the app: it is made anew, the site stays where it is, and the stack goes on", async () => {
    const before = trial.idOf("main");
    trial.desk.emulator.dropProject(trial.idOf("spring"));
    const planned = await trial.preview("--refresh");
    expect(planned.code, planned.printed).toBe(0);
    const done = await trial.up("--refresh");
    expect(done.printed).toMatch(/Site site_\w+ stays with project proj_\w+, which is gone: the API can't move it/);
    expect(trial.idOf("main")).toBe(before);
    expect(trial.objects("pages")).toMatchObject([{ projectId: trial.idOf("spring") }]);
    await trial.with({ pages: { home: { ...page("home", { "hero.title": "Bye" }), project: "spring" } } }).up();
    await trial.up("--refresh");
  });
});

thorough("no page gets a placeholder without a value, by an update nor by taking one over", async () => {
  trial.program.pages["home"] = { ...page("home"), variables: { brand: "Acme", support_email: "a@b.example" } };
  await trial.up();
  const { home = {} } = trial.program.pages;
  const holding = (text: string) => ({ ...home, content: { "hero.title": text } });
  const refused = await trial.with({ pages: { home: holding("Hello {{nobody}}") } }).preview();
  expect(refused.code).not.toBe(0);
  expect(failuresOf(refused)).toMatch(
    /Page "home", content\["hero.title"\]: its texts hold \{\{nobody\}\} without a value \(in hero.title\).* under variables/,
  );
  // What a page shows already may stay.
  trial.program.pages["home"] = holding("Hello {{brand}}!");
  const theirs = { adoptId: await trial.theirs("tpl-thankyou"), publish: { site: "main", slug: "theirs" } };
  trial.program.pages["theirs"] = { ...theirs, content: { "hero.title": "Hello {{nobody}}" } };
  expect(failuresOf(await trial.preview())).toMatch(/^Page theirs: publish: its texts hold .*{{nobody}}/m);
  delete trial.program.pages["theirs"];
  await trial.up();
});
