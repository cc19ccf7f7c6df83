/** A program's failures name the line that makes the resource, also where its name is put together. */
import { beforeEach, expect, test } from "vitest";
import { onBothEngines } from "../suite/parts.ts";
import { NearDesk } from "./near-desk.ts";

const program = (key: string): string => `
const page = (name) =>
  new landform.Page(name, { templateId: "tpl-hero", variables: { brand: "Acme" }, content: { "${key}": "Hello" } });
for (const one of ["a", "b"]) page(\`offer-\${one}\`);`;

onBothEngines((engine, path) => {
  let desk: NearDesk;
  beforeEach(async () => void (desk = await NearDesk.own()));
  const run = (code: number, ...args: string[]) =>
    desk.saysWith({ PATH: path(desk.env["PATH"] ?? "") }, code, ...args, "--engine", engine);

  test("a content key that the page lacks, in an up and in a plan", async () => {
    desk.program(program("hero.titel"));
    const failed = await run(1, "up", "--yes");
    desk.program(program("hero.title"));
    await run(0, "up", "--yes");
    await run(0, "preview", "--detailed-exitcode");
    desk.program(program("hero.titel"));
    const planned = await run(4, "preview");
    expect(failed.match(/error: .*index\.ts:4:3/g)).toHaveLength(2);
    expect(planned).toMatch(/error: index\.ts:4:3: Page offer-[ab], offer-[ab]: content: /);
  });
});
