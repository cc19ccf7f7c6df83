// @module-tag thorough
/** Findings of random walks about runs with targets, each as its few steps in one process. */
import { beforeEach, describe, expect, test } from "vitest";
import { openTrial, page } from "../trial.ts";

const trial = openTrial();

describe("with targets", () => {
  beforeEach(async () => {
    trial.program.pages["home"] = page("home");
    trial.program.products["mug"] = { price: 1 };
    trial.program.funnels["buy"] = { steps: [{ page: "home", pageType: "presell" }] };
    await trial.up();
    // It is now registered before the page that it needed.
    trial.program.funnels["buy"] = { steps: [{ url: "https://pay.example", pageType: "sales" }] };
    trial.program.products["mug"] = { price: 2 };
  });

  test("what another one needed before, and the program registers after it, is one resource", async () => {
    await trial.up("--target", "Product/mug");
    await trial.up();
  });

  test("and is changed where it is a target", async () => {
    trial.program.pages["home"] = page("home", { "hero.title": "Bye" });
    await trial.up("--target", "Page/home");
    await trial.up();
  });

  test("and keeps its object under another name", async () => {
    const before = trial.idOf("home");
    trial.program.pages = { start: { ...page("home"), name: "home", options: { aliases: ["home"] } } };
    await trial.up("--target", "Product/mug");
    expect(trial.idOf("home")).toBe(before);
    await trial.up();
    expect(trial.idOf("start")).toBe(before);
  });

  test("and stays where the program no longer has it", async () => {
    trial.program.pages = {};
    const done = await trial.preview("--target", "Product/mug");
    expect(done.report.changes).toMatchObject([{ op: "update", name: "mug" }]);
    await trial.up("--target", "Product/mug");
    expect(trial.objects("pages")).toHaveLength(1);
    await trial.up();
    expect(trial.objects("pages")).toEqual([]);
  });
});

test("a refresh of one that is renamed in the same run looks at it under the name that the state knows", async () => {
  trial.program.products["mug"] = { price: 1 };
  trial.program.products["cup"] = { price: 1 };
  await trial.up();
  for (const name of ["mug", "cup"])
    await trial.desk.byHand("PATCH", "/products", { product_id: trial.idOf(name), price: 9 });
  const renamed = (name: string, price: number) => ({ name, price, options: { aliases: [name] } });
  trial.program.products = { jug: renamed("mug", 1), vase: renamed("cup", 1) };
  const { report } = await trial.preview("--refresh", "--target", "Product/jug");
  expect(report.changes).toMatchObject([{ op: "update", name: "jug", fields: [{ path: "price", old: 9, new: 1 }] }]);
  await trial.up("--refresh", "--target", "Product/jug");
  expect(trial.objects("products")).toMatchObject([{ price: 1 }, { price: 9 }]);
  await trial.desk.byHand("DELETE", `/products/${trial.idOf("cup")}`);
  await trial.up("--refresh", "--target", "Product/v*");
  expect(trial.objects("products")).toMatchObject([{ price: 1 }, { id: trial.idOf("vase") }]);
  await trial.up();
});
