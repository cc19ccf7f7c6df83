/** Long names and keys: the reports show them on one line, and cut them to a readable length. */
import { expect, test } from "vitest";
import { messageText, nameText } from "../../stack/report/text.ts";
import { NearDesk } from "./near-desk.ts";
import { forEachTest } from "../suite/opened.ts";

const desk = forEachTest(() => NearDesk.open());

const said = async (...args: string[]): Promise<string> => {
  const { stdout, stderr } = await desk.run(args);
  return stdout + stderr;
};

const BROKEN = `landform: 1
name: broken
"zz\\n::error::section": 1
pages:
  ok:
    template: tpl-hero
    "na\\nme2": 3
    content: { hero.title: { file: "no\\nfile.md" }, "he\\nro": "{{no\\nthing}}" }
`;

test("a line break in a key or a text starts no line of its own in what check and preview say of a manifest", async () => {
  desk.write("landform.yaml", BROKEN);
  for (const told of [await said("check"), await said("preview")]) {
    expect(told).toContain('there is no section "zz⏎::error::section"');
    expect(told).toContain('has no property "na⏎me2", did you mean "name"?');
    expect(told).toMatch(/no⏎file\.md/);
    expect(told.split("\n").filter((line) => /^(::|∶∶|me2|file\.md|thing)/.test(line))).toEqual([]);
  }
});

test("nor in a plan, in what check warns of, and in an error of the service's keys", async () => {
  desk.write(
    "landform.yaml",
    `landform: 1
name: keys
pages: { ok: { template: tpl-hero, content: { "he\\n::error::ro": x }, variables: { "u\\n::error::v": c, brand: B } } }
`,
  );
  const [plan, warned, applied] = [await said("preview"), await said("check"), await said("up", "--yes")];
  expect(plan).toContain('content["he⏎::error::ro"]');
  expect(applied).toContain('has no field "he\\n::error::ro"');
  for (const told of [plan, warned, applied])
    expect(told.split("\n").filter((line) => /^\s*(::|∶∶)/.test(line))).toEqual([]);
});

test("a name of ten thousand characters is cut between its characters, in a plan and in an error", async () => {
  const long = "👩‍👩‍👧e\u0301".repeat(1_500);
  desk.write(
    "landform.yaml",
    `landform: 1
name: long
pages: { "${long}": { template: tpl-hero, content: { "${long}": x } } }
outputs: { "${long}": ${JSON.stringify(`pages["${long}"].id`)} }
`,
  );
  for (const told of [await said("preview"), await said("up", "--yes")]) {
    expect(told).toContain("Page 👩‍👩‍👧e\u0301");
    expect(told).toMatch(/(👩‍👩‍👧|e\u0301)…/u);
    expect(Math.max(...told.split("\n").map((line) => line.length))).toBeLessThan(2_000);
  }
});

test("what is no name is told as it is", () => {
  const link = `https://app.example/${"way/".repeat(100)}?token=abc`;
  const text = `Open ${link} and look for "a" ${"word ".repeat(60)}"b".`;
  expect(messageText(text)).toBe(text);
  expect(messageText(`no page "${"x y ".repeat(99)}" here`)).toMatch(
    /^no page "(x y )+x y…" here$|^no page ".{79}…" here$/,
  );
  expect(nameText("short\nname")).toBe("short⏎name");
});
