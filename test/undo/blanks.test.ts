// @module-tag thorough
/** A page that was blank before the run and got a template in it: an undo makes it blank again, which no code may do by accident. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { Machine } from "../faults/whole/machine.ts";
import { onBothAtRelease, realEngine } from "../suite/parts.ts";

const BLANK: Readonly<Record<string, string>> = {
  quiz: "quizzes: { ask: { name: Ask } }",
  page: "pages: { ask: { name: Ask } }",
};
const TEMPLATED: Readonly<Record<string, string>> = {
  quiz: "quizzes: { ask: { name: Ask, template: tpl-quiz-plan } }",
  page: "pages: { ask: { name: Ask, template: tpl-hero } }",
};
const manifest = (part = ""): string => `landform: 1\nname: blanks\n${part}\n`;

onBothAtRelease((engine) => {
  let machine: Machine;
  beforeEach(async () => {
    const on = { kind: engine, form: "landform.yaml", ...(engine === "pulumi" && { path: realEngine }) } as const;
    machine = await Machine.open(on, { "landform.yaml": manifest() });
  });
  afterEach(() => machine.close());

  async function run(code: number, ...args: string[]): Promise<string> {
    const ended = await machine.run(args);
    expect(ended.code, ended.said).toBe(code);
    return ended.said;
  }

  const templates = (): unknown[] =>
    (machine.emulator.records()["pages"] ?? []).map(
      (row: Readonly<Record<string, unknown>>) => row["templateId"] ?? null,
    );

  test.each(["quiz", "page"])("a %s", async (kind) => {
    machine.write("landform.yaml", manifest(BLANK[kind]));
    await run(0, "up", "--yes");
    machine.write("landform.yaml", manifest(TEMPLATED[kind]));
    await run(0, "up", "--yes", "--force");
    expect(templates()).toEqual([kind === "quiz" ? "tpl-quiz-plan" : "tpl-hero"]);
    expect(await run(0, "undo", "--preview")).toContain("1 to replace");
    await run(0, "undo", "--yes", "--force");
    expect(templates()).toEqual([null]);
    machine.write("landform.yaml", manifest(BLANK[kind]));
    await run(0, "preview", "--detailed-exitcode");
    expect(await run(0, "up", "--yes")).toContain("no changes");
    await run(0, "undo", "--yes", "--force");
    expect(templates()).toEqual([kind === "quiz" ? "tpl-quiz-plan" : "tpl-hero"]);
    expect(await run(4, "preview")).toContain("can't be made blank again");
  });
});
