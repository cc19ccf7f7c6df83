// @module-tag thorough
/** A report calls a taken-over object that, whichever engine runs. */
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Report } from "../../stack/report/model.ts";
import { onBothEngines } from "../suite/parts.ts";
import { Desk, neutral, SYSTEM_PATH } from "./harness.ts";

const LONG = "A brief about the brand, its customers and what it offers them, word by word. ".repeat(3);
let desk: Desk;

beforeEach(async () => {
  desk = await Desk.open();
});
afterEach(() => desk.close());

/** Makes a project by hand, and a program that takes it over, with a page of its own. */
async function program(): Promise<void> {
  const response = await fetch(`${desk.emulator.baseUrl}/projects`, {
    method: "POST",
    headers: { authorization: `Bearer ${desk.emulator.apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ name: "By hand", description: LONG, context: LONG }),
  });
  const { id } = (await response.json()) as { id: string };
  desk.program(
    `const p = new landform.Project("spring", { adoptId: "${id}", name: "Spring" });
new landform.Page("offer", { projectId: p.id });`,
  );
  desk.writes();
}

onBothEngines((engine, path) => {
  const env = () => ({ PATH: path(SYSTEM_PATH) });

  test("in plan, progress, summary and reports", async () => {
    await program();
    const run = (args: string[]) => desk.run([...args, "--engine", engine], { env: env() });

    const preview = await run(["preview", "--markdown", "plan.md"]);
    expect([preview.code, preview.stderr]).toEqual([0, ""]);
    expect(neutral(preview.stdout)).toContain(
      [
        "  = Project spring",
        "      takes over the existing object; of these fields, only what differs there is sent",
        '      adoptId  "proj_ID"',
        '      name     "Spring"',
      ].join("\n"),
    );
    expect(preview.stdout).toContain("1 to create, 1 to adopt");
    expect(preview.stdout).toContain(
      "Scopes the key needs: account:read, pages:read, pages:write, projects:read, projects:write",
    );
    expect(desk.read("plan.md")).toContain("adopt <b>Project spring</b>");

    const up = await run(["up", "--yes", "--json"]);
    expect(up.stderr).toContain("= adopted Project spring");
    const report = JSON.parse(up.stdout) as Report;
    expect(report.counts).toMatchObject({ create: 1, adopt: 1 });
    expect(report.changes.map(({ op, status }) => [op, status])).toEqual([
      ["adopt", "done"],
      ["create", "done"],
    ]);
    expect(desk.writes().filter((call) => call.includes("/projects"))).toEqual([
      expect.stringMatching(/^PATCH \/projects\/proj_/),
    ]);
    expect((await run(["preview", "--detailed-exitcode"])).code).toBe(0);
  });
});
