/** Every example does what its README says: it applies, a second preview plans nothing, and it can be destroyed. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startEmulator, type Emulator } from "../../emulator/index.ts";
import { examples, repository } from "./folders.ts";
import { ExampleStack } from "./stack.ts";
import { visit } from "./visit.ts";

/** What an example needs to be told. */
interface Needs {
  config?: (second: Emulator) => Record<string, string>;
}

const NEEDS: Readonly<Record<string, Needs>> = {
  "multi-account": { config: (second) => ({ "multi-account:partnerUrl": second.baseUrl }) },
};

let second: Emulator;
beforeAll(async () => {
  second = await startEmulator({ seed: "empty" });
  process.env["PARTNER_API_KEY"] = second.apiKey;
});
afterAll(() => second.close());

describe.each(examples())("%s", (name) => {
  const folder = join(repository, "examples", name);

  test("up, nothing more to do, destroy", async () => {
    const stack = await ExampleStack.open(folder);
    try {
      const config = NEEDS[name]?.config?.(second) ?? {};
      const up = await stack.run("up", config);
      expect(up.failures).toEqual([]);
      expect(up.result).toBe("succeeded");
      expect(Object.keys(up.changes)).toEqual(["create"]);
      expect(stack.writes().length).toBeGreaterThan(0);

      const again = await stack.run("preview", config);
      expect([again.failures, again.changes]).toEqual([[], {}]);
      const refreshed = await stack.run("refresh", config);
      expect([refreshed.failures, refreshed.changes]).toEqual([[], {}]);
      expect(stack.writes()).toEqual([]);

      for (const url of urlsIn(up.outputs)) {
        const { status, body } = await visit(url);
        expect([url, status]).toEqual([url, 200]);
        expect(body).not.toContain("{{");
      }

      const destroyed = await stack.run("destroy", config);
      expect([destroyed.failures, Object.keys(destroyed.changes)]).toEqual([[], ["delete"]]);
    } finally {
      await stack.close();
    }
  });

  test("has a README of ten lines or so, with what to run", () => {
    const file = join(folder, "README.md");
    expect(existsSync(file)).toBe(true);
    const lines = readFileSync(file, "utf8").trim().split("\n");
    expect(lines.length).toBeLessThanOrEqual(16);
    expect(lines[0]).toMatch(/^# /);
    expect(lines.join("\n")).toMatch(/landform (up|demo)/);
  });
});

test("there are the examples that the documentation names", () => {
  const readme = readFileSync(join(repository, "README.md"), "utf8");
  const all = readdirSync(join(repository, "examples"), { withFileTypes: true });
  const folders = all.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  expect(folders.length).toBeGreaterThan(3);
  for (const name of folders) expect(readme).toContain(`examples/${name}`);
});

function urlsIn(outputs: Record<string, { value: unknown }>): string[] {
  const texts: string[] = [];
  const visit = (value: unknown): void => {
    if (typeof value === "string" && value.startsWith("http")) texts.push(value);
    else if (typeof value === "object" && value !== null) Object.values(value).forEach(visit);
  };
  for (const { value } of Object.values(outputs)) visit(value);
  return texts;
}
