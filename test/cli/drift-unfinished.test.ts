/** What a failed run left undone is drift, though no field differs: what the code declares is not what exists. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { Desk } from "./harness.ts";

let desk: Desk;

beforeAll(async () => {
  desk = await Desk.open();
  desk.write(
    "landform.yaml",
    `landform: 1
name: thanks
sites: { m: { name: s.example } }
pages:
  i: { template: tpl-thankyou, variables: { brand: A }, publish: { site: m, slug: x } }
`,
  );
});

afterAll(() => desk.close());

test("a page that a failed creation left a draft has drifted, until it is published", async () => {
  const failed = await desk.run(["up", "--yes"]);
  expect([failed.code, failed.stdout]).toEqual([1, expect.stringContaining("so it stays a draft")]);
  const drift = ["drift", "--detailed-exitcode", "--json", "drift.json", "--junit", "drift.xml"];
  for (const before of [undefined, ["refresh"]]) {
    if (before !== undefined) expect((await desk.run(before)).code).toBe(0);
    const { code, stdout } = await desk.run(drift);
    expect(code).toBe(2);
    expect(stdout).toMatch(/! Page i .* was left unfinished by an earlier run/);
    expect(stdout).not.toContain("no drift");
    const report = JSON.parse(desk.read("drift.json")) as { drift: { name: string; kind: string; fields: [] }[] };
    expect(report.drift).toMatchObject([{ name: "i", kind: "unfinished", fields: [] }]);
    expect(desk.read("drift.xml")).toContain('failures="1"');
  }
  desk.edit("landform.yaml", "brand: A", "brand: A, support_email: a@b.example");
  expect((await desk.run(["up", "--yes"])).code).toBe(0);
  const settled = await desk.run(["drift", "--detailed-exitcode"]);
  expect([settled.code, settled.stdout]).toEqual([0, expect.stringContaining("no drift")]);
  expect((await desk.run(["preview", "--detailed-exitcode"])).code).toBe(0);
});
