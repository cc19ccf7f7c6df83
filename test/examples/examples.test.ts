/** Every example does what its README says: it applies, a second preview plans nothing, and a destroy works. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { deploy, startTestAccount } from "../../stack/testing.ts";
import { examples, repository } from "./folders.ts";
import { visit } from "./visit.ts";
import { forAllTests, inTest } from "../suite/opened.ts";
import { thorough } from "../suite/parts.ts";
import { textsOf } from "../reports/texts.ts";

// Each example runs four times.
vi.setConfig({ testTimeout: 300_000 });

const second = forAllTests(() => startTestAccount());
beforeAll(() => {
  process.env["PARTNER_API_KEY"] = second.emulator.apiKey;
});

/** Settings that an example requires. */
const SETTINGS: Readonly<Record<string, () => Record<string, string>>> = {
  "multi-account": () => ({ "multi-account:partnerUrl": second.emulator.baseUrl }),
};

describe.each(examples())("%s", (name) => {
  const folder = join(repository, "examples", name);

  thorough("up, nothing more to do, destroy", async () => {
    // Receivers of hooks resolve to a public address, so that the service takes them.
    const account = await inTest(startTestAccount({ lookup: () => Promise.resolve(["8.8.8.8"]) }));
    const { requests } = account.emulator;
    const config = SETTINGS[name]?.() ?? {};
    writeFileSync(join(account.stateFolder, "Pulumi.test.yaml"), JSON.stringify({ config }));

    const up = await deploy(folder, { account });
    expect([up.failures, textsOf(up, "warn")]).toEqual([[], []]);
    expect(up.counts).toMatchObject({ update: 0, replace: 0, delete: 0, same: 0 });
    expect(up.urls.length).toBeGreaterThan(0);
    for (const url of up.urls) {
      const { status, body } = await visit(url);
      expect([url, status]).toEqual([url, 200]);
      expect(body).not.toContain("{{");
    }

    requests.length = 0;
    const again = await deploy(folder, { account, operation: "preview" });
    expect([again.failures, again.changes, again.counts.same]).toEqual([[], [], up.counts.create]);
    const refreshed = await deploy(folder, { account, operation: "refresh" });
    expect([refreshed.failures, refreshed.changes]).toEqual([[], []]);
    expect(requests.filter(({ method }) => method !== "GET")).toEqual([]);

    const destroyed = await deploy(folder, { account, operation: "destroy" });
    const { delete: deleted, left } = destroyed.counts;
    expect([destroyed.failures, deleted + left]).toEqual([[], up.counts.create]);
  });

  test("has a README of ten lines or so, with what to run", () => {
    const file = join(folder, "README.md");
    expect(existsSync(file)).toBe(true);
    const lines = readFileSync(file, "utf8").trim().split("\n");
    expect(lines.length).toBeLessThanOrEqual(16);
    expect(lines[0]).toMatch(/^# /);
    expect(lines.join("\n")).toMatch(/landform (up|export)/);
  });
});

test("the examples are those that docs/examples.md names", () => {
  const page = readFileSync(join(repository, "docs/examples.md"), "utf8");
  const all = readdirSync(join(repository, "examples"), { withFileTypes: true });
  const folders = all.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  expect(folders.length).toBeGreaterThan(3);
  for (const name of folders) expect(page).toContain(`examples/${name}`);
});
