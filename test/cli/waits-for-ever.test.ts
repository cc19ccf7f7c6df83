/** A program that waits for something that never comes: it ends, and the error names the resources that wait. */
import { expect, test } from "vitest";
import { onBothAtRelease, onBothEngines } from "../suite/parts.ts";
import { inTest } from "../suite/opened.ts";
import { Desk, type On } from "./harness.ts";

async function refused(on: On, body: string): Promise<string> {
  const desk = (await inTest(Desk.open())).on(...on);
  const said = await desk.program(body).sendsNothing(4, "up", "--yes");
  expect(said).not.toMatch(/^\s+at |PULUMI_DEBUG_PROMISE_LEAKS/m);
  return said;
}

const CIRCLE = `
const later = Promise.withResolvers<string>();
const a = new landform.Page("a", { templateId: "tpl-thankyou", content: { "cta.url": later.promise } });
const b = new landform.Page("b", { templateId: "tpl-thankyou", content: { "cta.url": a.url } });
b.url.apply((url) => later.resolve(String(url)));`;

onBothEngines((...on) => {
  test("two pages link to each other through a promise", async () => {
    const said = await refused(on, CIRCLE);
    expect(said).toMatch(/ended before it was done:\n {2}- landform:Page "a" waits for /);
    expect(said).toContain('- landform:Page "b" waits for ');
  });
});

onBothAtRelease((...on) => {
  test("an `await` at the top never ends", async () => {
    expect(await refused(on, 'new landform.Page("a", {});\nawait new Promise(() => undefined);')).toContain(
      "did not come to its end: an `await` in it",
    );
  });

  test("a timer and a lookup are waited for", async () => {
    const desk = (await inTest(Desk.open())).on(...on);
    desk.program(`import { setTimeout } from "node:timers/promises";
const project = new landform.Project("p", { description: "d".repeat(50), context: "c".repeat(200) });
const later = project.id.apply(() => setTimeout(1_500, "later"));
await setTimeout(1_500);
const { id } = await landform.getTemplate({ id: "tpl-thankyou" });
new landform.Page("a", { templateId: id, name: later, variables: { brand: "B", support_email: "a@b.example" } });`);
    await desk.applies();
  });
});
