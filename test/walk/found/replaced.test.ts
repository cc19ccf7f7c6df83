// @module-tag thorough
/** A replacement that stopped halfway: the words of later plans about the new object and the old one, in one process. */
import { beforeEach, expect, test } from "vitest";
import { openTrial, page } from "../trial.ts";

const trial = openTrial();
const thanks = {
  ...page("home", {}),
  template: "tpl-thankyou",
  variables: { brand: "Acme", support_email: "a@b.example" },
};

/** The old page still has its address. The new one is a draft that lacks a variable. */
beforeEach(async () => {
  trial.program.pages["home"] = page("home");
  trial.program.funnels["buy"] = { steps: [{ page: "home", pageType: "presell" }] };
  await trial.up();
  trial.program.pages["home"] = { ...thanks, variables: { brand: "Acme" } };
  await trial.upEnds(1);
  expect(trial.objects("pages")).toHaveLength(2);
});

test("nothing of the new page is anybody else's edit", async () => {
  const [old = { id: "" }] = trial.objects("pages");
  trial.program.pages["home"] = thanks;
  const { report, printed } = await trial.preview();
  expect(report.impact?.alsoLive, printed).toBeUndefined();
  expect(report.changes).toMatchObject([
    { op: "update", name: "home" },
    { op: "delete", id: old.id },
    { op: "update", name: "buy" },
  ]);
  await trial.up();
  expect(trial.objects("pages")).toMatchObject([{ id: trial.idOf("home"), status: "published" }]);
});
