/** Findings of random walks about texts and their code, each as its few steps in one process. */
import { expect } from "vitest";
import { openTrial, page } from "../trial.ts";
import { thorough } from "../../suite/parts.ts";
import { editInApp } from "../../suite/app.ts";

const trial = openTrial();

thorough("what the code no longer declares is no drift, whatever becomes of it in the app", async () => {
  trial.program.products["mug"] = { price: 1, rating: "4.2" };
  trial.program.pages["home"] = page("home", { "hero.title": "Hello", "hero.text": "Text" });
  await trial.up();
  await trial.with({ products: { mug: { price: 1 } }, pages: { home: page("home", { "hero.title": "Hello" }) } }).up();
  await trial.desk.byHand("PATCH", "/products", { product_id: trial.idOf("mug"), rating: "3.9" });
  await editInApp(trial.desk, trial.idOf("home"), { "hero.text": "By hand" });
  const { code, report } = await trial.desk.run("drift", "--full", "--detailed-exitcode");
  expect([code, report.drift]).toEqual([0, []]);
  await trial.desk.byHand("PATCH", "/products", { product_id: trial.idOf("mug"), price: 9 });
  const found = await trial.desk.run("drift", "--detailed-exitcode");
  expect(found.code).toBe(2);
  expect(found.report.drift).toMatchObject([
    { name: "mug", fields: [{ path: "price", lastRun: 1, live: 9, code: 1 }] },
  ]);
  await trial.up("--refresh");
});

thorough(
  "a variable that the code no longer declares stays as it is, also on a text that somebody edited or that the code changes",
  async () => {
    const { variables: _, ...without } = page("home");
    await trial.with({ pages: { home: page("home") } }).up();
    await trial.with({ pages: { home: without } }).up();
    const shown = () => JSON.stringify(trial.objects("documents"));
    for (const text of ["By hand", "By hand again"]) {
      await editInApp(trial.desk, trial.idOf("home"), { "hero.title": text });
      await trial.up("--refresh");
      expect(shown()).toContain("Hello Acme");
      expect(shown()).not.toContain("By hand");
    }
    await trial.with({ pages: { home: { ...without, content: { "hero.title": "Bye {{brand}}" } } } }).up();
    expect(shown()).toContain("Bye Acme");
    await trial.with({ pages: { home: page("home", { "hero.title": "Bye {{brand}}" }) } }).up();
    trial.program.pages["home"] = { ...page("home", { "hero.title": "Bye {{brand}}" }), variables: { brand: "Zen" } };
    await trial.up();
    expect(shown()).toContain("Bye Zen");
  },
);
