// @module-tag thorough
/** Undo of runs that gave resources another parent or name: they get the old one back, and the undo deletes none of them. */
import { expect, test } from "vitest";
import { NearDesk } from "../cli/near-desk.ts";
import { onBothAtRelease } from "../suite/parts.ts";
import { inTest } from "../suite/opened.ts";

const page = (name: string, title: string, options = ""): string =>
  `const page = new landform.Page("${name}", { name: "A", templateId: "tpl-hero", variables: { brand: "Acme" }, content: { "hero.title": "${title}" } }${options});`;
const funnel = (options = ""): string =>
  `new landform.Funnel("f", { name: "F", steps: [{ pageId: page.id, pageType: "presell" }] }${options});`;
const AT_ROOT = page("a", "First") + funnel();
const RENAMED = page("b", "Second", ', { aliases: [{ name: "a" }] }') + funnel();
const INSIDE = ", { parent: this, aliases: [{ parent: rootStackResource }] }";

const inComponent = (title: string, component = 'new C("c");'): string => `
import { ComponentResource, rootStackResource } from "@pulumi/pulumi";
class C extends ComponentResource {
  constructor(name, options) {
    super("my:index:C", name, {}, options);
    ${page("a", title, INSIDE)}
    ${funnel(INSIDE)}
  }
}
${component}`;

const RENAMED_COMPONENT = inComponent("Second", 'new C("d", { aliases: [{ name: "c" }] });');

/** Returns the changes to existing resources. */
function changesIn(report: string): string[] {
  const { changes } = JSON.parse(report) as { changes: { op: string; type: string; name: string }[] };
  return changes.flatMap(({ op, type, name }) => (type.startsWith("my:") ? [] : [`${op} ${type} ${name}`]));
}

onBothAtRelease((engine, path) => {
  test.each([
    ["into a component", AT_ROOT, inComponent("First"), []],
    ["into a component, and changed", AT_ROOT, inComponent("Second"), ["update Page a"]],
    ["with its component", inComponent("First"), RENAMED_COMPONENT, ["update Page a"]],
    ["to another name, and changed", AT_ROOT, RENAMED, ["update Page a"]],
  ])("moved %s", async (_, before, after, changed) => {
    const desk = await inTest(NearDesk.open());
    const run = async (...args: string[]): Promise<string> => {
      const ended = await desk.run([...args, "--engine", engine], { env: { PATH: path("/usr/bin:/bin") } });
      expect(ended.code, ended.stdout + ended.stderr).toBe(0);
      return ended.stdout;
    };
    desk.program(before);
    await run("up", "--yes");
    desk.program(after);
    await run("up", "--yes");
    desk.writes();
    await run("undo", "--yes", "--json", "undone.json");
    expect(changesIn(desk.read("undone.json"))).toEqual(changed);
    expect(desk.writes()).toHaveLength(changed.length);
    desk.program(before);
    await run("preview", "--detailed-exitcode");
    await run("undo", "--yes");
    desk.program(after);
    await run("preview", "--detailed-exitcode");
  });
});
