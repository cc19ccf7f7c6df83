// @module-tag thorough
/** A plan reviewed with `--foreign-edits include` publishes the edits that it names, and no others. */
import { beforeEach, expect, test } from "vitest";
import { editInApp } from "../suite/app.ts";
import { NearDesk } from "./near-desk.ts";

const manifest = (title: string, word = ""): string => `landform: 1
name: reviewed
sites: { main: { name: reviewed.example } }
pages: { offer: { template: tpl-hero, variables: { brand: Acme }, content: { hero.title: ${title} }, publish: { site: main, slug: offer }${word} } }
`;

const desk = NearDesk.each();
beforeEach(async () => {
  desk.declare(manifest("First"));
  await run("up", "--yes");
});

async function run(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await desk.run(args);
  expect(code, stdout + stderr).toBe(0);
  return stdout;
}

async function edit(text: string): Promise<void> {
  const [page] = desk.rows("pages") as unknown as { id: string }[];
  await editInApp(desk, page?.id, { "hero.note": text });
}

async function visitors(): Promise<string> {
  return (await fetch(`${desk.emulator.url}/_sites/reviewed-example/offer`)).text();
}

test.each(["", ", onForeignEdits: hold"])(
  "what was reviewed goes live with it, whatever the page says (%j)",
  async (word) => {
    await edit("Of the marketer");
    desk.declare(manifest("Second", word));
    expect(await run("preview", "--foreign-edits", "include", "--save", "plan.json")).toContain(
      "They are published with it",
    );
    expect(await run("up", "--plan", "plan.json")).toContain("They are published with it");
    expect(await visitors()).toMatch(/Second[^]*Of the marketer|Of the marketer[^]*Second/);
    await run("preview", "--detailed-exitcode");
  },
);

test("what came after the review is held back", async () => {
  await edit("Of the marketer");
  desk.declare(manifest("Second"));
  await run("preview", "--foreign-edits", "include", "--save", "plan.json");
  await edit("Half a thought");
  expect(await desk.says(1, "up", "--plan", "plan.json")).toMatch(/held back.*Half a thought/s);
  expect(await visitors()).not.toMatch(/Second|Half a thought|Of the marketer/);
});
