/** What random walks found, each as the few steps that show it, in one process: what stays, and what makes way. */
import { beforeEach, describe, expect, test } from "vitest";
import { failuresOf, openTrial, page, project } from "../trial.ts";

const trial = openTrial();

test("a project that a retired funnel keeps is said to stay before it does", async () => {
  trial.program.projects["spring"] = project;
  trial.program.funnels["buy"] = { project: "spring", steps: [{ url: "https://pay.example", pageType: "sales" }] };
  await trial.up();
  trial.program.projects = {};
  trial.program.funnels = {};
  const { report } = await trial.preview();
  expect(report.counts).toMatchObject({ delete: 0, left: 2 });
  expect(report.changes).toMatchObject([{ stays: "retired" }, { type: "Project", op: "delete", stays: "in place" }]);
  const done = await trial.up();
  expect(done.report.counts).toMatchObject({ delete: 0, left: 2 });
  expect(trial.objects("projects")).toHaveLength(1);
});

test("a replacement that keeps the old object says so", async () => {
  trial.program.pages["home"] = { ...page("home"), options: { retainOnDelete: true } };
  await trial.up();
  trial.program.pages["home"] = {
    ...page("home"),
    template: "tpl-lead-magnet",
    variables: { brand: "Acme", year: "2026" },
    options: { retainOnDelete: true },
  };
  const { report } = await trial.preview();
  expect(report.changes).toMatchObject([
    {
      op: "replace",
      note: "the old one stays in the account, and is no longer managed; it makes way at the address, to one beside it",
    },
  ]);
  await trial.up();
  expect(trial.objects("pages")).toHaveLength(2);
});

test("a hook that was deleted and is declared anew is a new subscription", async () => {
  const hook = { eventType: "form_lead.created", targetUrl: "https://8.8.8.8/leads" };
  trial.program.hooks["leads"] = hook;
  await trial.up();
  trial.program.hooks = {};
  await trial.up();
  trial.program.hooks["leads"] = hook;
  const again = await trial.preview();
  expect(again.report.changes).toMatchObject([{ op: "create", name: "leads" }]);
  await trial.up();
  expect(trial.objects("hooks")).toMatchObject([{ active: false }, { active: true, id: trial.idOf("leads") }]);
});

describe("what is taken over by its id", () => {
  beforeEach(async () => {
    trial.program.pages["home"] = page("home");
    await trial.up();
    trial.program.pages["home"] = { ...page("home"), adoptId: trial.idOf("home") };
    await trial.up();
  });

  test("is not replaced by itself, and then deleted: refused in preview, and what the message says leads on", async () => {
    const before = trial.idOf("home");
    const { publish: _, ...draft } = page("home");
    for (const changed of [{ ...page("home"), template: "tpl-thankyou" }, draft]) {
      trial.program.pages["home"] = { ...changed, adoptId: before };
      const refused = await trial.preview();
      expect(refused.code).not.toBe(0);
      expect(failuresOf(refused)).toMatch(
        /puts a new page in the place of page page_\w+, and adoptId names that one. Remove adoptId/,
      );
    }
    expect(trial.objects("pages")).toMatchObject([{ id: before, slug: "home" }]);
    trial.program.pages["home"] = {
      ...page("home"),
      template: "tpl-thankyou",
      variables: { brand: "Acme", support_email: "a@b.example" },
    };
    await trial.up();
    expect(trial.idOf("home")).not.toBe(before);
    expect(trial.objects("pages")).toMatchObject([{ id: trial.idOf("home"), slug: "home" }]);
  });
});
