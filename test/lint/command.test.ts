/** `landform check` and `preview --fail-on`: their output and their exit codes. */
import { expect, test } from "vitest";
import { join } from "node:path";
import { withFindings, type Look } from "../../stack/checks/check.ts";
import { lint } from "../../stack/checks/lint.ts";
import { Redactor } from "../../stack/report/redact.ts";
import { openProject } from "../../stack/project/open.ts";
import type { Report } from "../../stack/report/model.ts";
import { called } from "../cli/called.ts";
import { folderWith } from "../manifest/files.ts";

const BAD = `landform: 1\npages:\n  a: { content: { t: "" , u: Lorem ipsum } }\n`;
const KEYS = JSON.stringify({
  landformKeys: 1,
  templates: { "tpl-x": { name: "X", keys: ["one"], variables: {}, readAt: "2026-01-01" } },
});

test("what it finds decides what it ends with, as --fail-on says", async () => {
  const folder = folderWith({ "landform.yaml": BAD });
  const ends = async (...more: string[]): Promise<number> => (await called("check", "-C", folder, ...more)).code;
  expect(await ends()).toBe(1);
  for (const [on, code] of Object.entries({ never: 0, warning: 1, "empty-text": 1, "too-long,missing-alt": 0 }))
    expect(await ends("--fail-on", on), on).toBe(code);
  const wrong = await called("check", "-C", folder, "--fail-on", "emptytext");
  expect(wrong).toMatchObject({ code: 4, text: ending('no rule "emptytext", did you mean "empty-text"?') });
});

test("text, JSON and SARIF name rule and place", async () => {
  const folder = folderWith({ "landform.yaml": BAD });
  const { text } = await called("check", "-C", folder);
  expect(text).toMatch(/landform\.yaml:3:22: warning: pages\.a\.content\.t is empty \[empty-text\]/);
  expect(text).toMatch(/1 error, 1 warning\nSee docs\/reference\/lint\.md/);
  const json = JSON.parse((await called("check", "-C", folder, "--json")).text) as { diagnostics: { code: string }[] };
  expect(json.diagnostics.map(({ code }) => code)).toEqual(["empty-text", "placeholder-text"]);
  const sarif = JSON.parse((await called("check", "-C", folder, "--sarif")).text) as { runs: { results: unknown[] }[] };
  const found = [{ ruleId: "empty-text" }, { ruleId: "placeholder-text", level: "error" }];
  expect(sarif.runs[0]?.results).toMatchObject(found);
});

test("a folder without a manifest, a manifest that is wrong and a file of keys that is: 4", async () => {
  for (const [says, files] of [
    ["there is neither Pulumi.yaml nor landform.yaml", {}],
    ['did you mean "too-long"?', { "landform.yaml": "landform: 1\nlint: { to-long: off }\n" }],
    ["is not JSON", { "landform.yaml": BAD, "landform.keys.json": "{" }],
  ] as const)
    expect(await called("check", "-C", folderWith(files))).toMatchObject({ code: 4, text: ending(says) });
});

test("the file of keys beside the manifest is read", async () => {
  const manifest = "landform: 1\npages: { a: { template: tpl-x, content: { two: x } } }\n";
  const folder = folderWith({ "landform.yaml": manifest, "landform.keys.json": KEYS });
  const { text } = await called("check", join(folder, "landform.yaml"));
  expect(text).toMatch(/no content key "two"[^]*\[unknown-key\]/);
});

test("in a plan it warns where the manifest has rules, and fails where it is asked to", async () => {
  const report = { result: "succeeded", findings: [{ text: "before" }], failures: [] } as unknown as Report;
  const linted = async (text: string, failOn?: string[], more: Record<string, string> = {}) => {
    const folder = await openProject(folderWith({ "landform.yaml": text, ...more }));
    const look = {
      session: { folder, redactor: new Redactor([]) },
      intent: { kind: "preview", failOn },
      ran: { preview: { told: new Map(), changes: [] } },
    } as unknown as Look;
    return withFindings(report, { ...(await lint.run(look, report)), name: "lint" }, look.intent);
  };
  expect(await linted(BAD)).toBe(report);
  expect(await linted(BAD, undefined, { "landform.keys.json": "{" })).toBe(report);
  const warned = await linted(`${BAD}lint: { too-long: off }\n`);
  expect([warned.result, warned.findings.length, warned.failures]).toEqual(["succeeded", 3, []]);
  expect(await linted(BAD, ["error"])).toMatchObject({
    result: "failed",
    findings: [{ text: "before" }, { source: ending("3:22"), weight: "warn", text: ending("[empty-text]") }],
    failures: [{ check: "lint", cause: "refused", source: ending("3:30"), message: ending("[placeholder-text]") }],
  });
});

function ending(text: string): unknown {
  return expect.stringContaining(text);
}
