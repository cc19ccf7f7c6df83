// @module-tag thorough
/** The options of `env up`: another site, dashes, hooks, drafts. Its end leaves nothing of any of them. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Collected } from "../../stack/env/gc.ts";
import type { JsonReport } from "../../stack/report/json.ts";
import { startEmulator } from "../../emulator/index.ts";
import { accountWith, type Account } from "./desk.ts";
import { inTest } from "../suite/opened.ts";
import { outputOf } from "../cli/harness.ts";

const PROGRAM = `landform: 1
name: mugs
projects:
  spring: { name: Spring, description: "The spring launch of Example Mugs, one offer and a quiz", context: "${"Handmade mugs. ".repeat(15)}" }
sites: { mugs: { name: mugs.example, project: spring }, previews: { name: previews.example, project: spring } }
pages:
  offer: { name: Offer, project: spring, template: { id: tpl-hero }, variables: { brand: Mugs }, content: { hero.cta.url: /guides/mugs }, publish: { site: mugs, slug: offer } }
  guide: { name: Guide, project: spring, template: { id: tpl-hero }, variables: { brand: Mugs }, publish: { site: mugs, slug: guides/mugs } }
hooks:
  leads: { eventType: form_lead.created, targetUrl: "https://hooks.example.com/leads" }
`;

describe("an environment", { timeout: 120_000 }, () => {
  let account: Account;
  let before: string;
  /** This key can't tell its owner. */
  let narrow: string;

  beforeAll(async () => {
    account = await accountWith((desk) => desk.write("landform.yaml", PROGRAM));
    narrow = account.desk.emulator.createKey({ scopes: ["projects:read", "sites:read", "pages:read", "pages:write"] });
    before = withoutEnded(account.holds());
  }, 60_000);
  afterAll(() => account.desk.close());

  const up = async (...args: string[]): Promise<JsonReport> => {
    const ended = await account.env("up", ...args, "--yes", "--json");
    expect(ended.code, ended.stdout + ended.stderr).toBe(0);
    return JSON.parse(ended.stdout) as JsonReport;
  };
  const down = async (pr: string): Promise<void> => {
    await outputOf(0, account.env("down", "--pr", pr, "--yes"));
    expect(withoutEnded(account.holds())).toBe(before);
  };
  const hooks = (): number => account.desk.emulator.records()["hooks"]?.length ?? 0;

  test("on a site of its own, with dashes and hooks, which the next run keeps and its end removes", async () => {
    const of = hooks();
    const args = ["--pr", "1", "--site", "previews.example", "--slug-style", "dash", "--hooks"];
    const report = await up(...args);
    const urls = report.urls.toSorted();
    expect(urls.map((url) => url.replace(/pr-1-[a-z0-9]{10}/, "pr-1").replace(/:\d+/, ""))).toEqual([
      "http://previews-example.localhost/pr-1-guides-mugs",
      "http://previews-example.localhost/pr-1-offer",
    ]);
    expect(JSON.stringify(account.desk.emulator.records())).toMatch(/"\S*\/pr-1-[a-z0-9]{10}-guides-mugs\\*"/);
    expect(hooks()).toBe(of + 1);
    const again = await up("--pr", "1", "--hooks");
    expect(again.counts).toMatchObject({ create: 0, adopt: 0, update: 0, replace: 0, delete: 0 });
    await down("1");
  });

  test("is made with a key of the base's account alone", async () => {
    const other = await inTest(startEmulator());
    const up = async (env: Record<string, string>) => account.desk.run(["env", "up", "--pr", "7", "--yes"], { env });
    expect(await outputOf(4, up({ LANDFORM_BASE_URL: other.baseUrl, LANDFORM_API_KEY: other.apiKey }))).toMatch(
      /belongs to account .*prod/,
    );
    expect(other.requests.filter(({ method }) => method !== "GET")).toEqual([]);
    expect(await outputOf(4, up({ LANDFORM_API_KEY: narrow }))).toContain("needs the scope account:read");
    expect(withoutEnded(account.holds())).toBe(before);
  });

  test("as drafts: nothing is public, and links lead to the builder", async () => {
    const { urls } = await up("--pr", "2", "--drafts");
    expect(urls).toEqual([]);
    expect(account.ofPreview("pr-2").map(({ slug }) => slug)).toEqual([null, null]);
    expect((await account.env("list")).stdout).toMatch(/Page offer {2}http\S+ \(draft\)/);
    await down("2");
  });

  test("that can't be removed is named with what is left, and the next gc goes on with it", async () => {
    await up("--pr", "7", "--ttl", "0.0000001");
    const gc = async (): Promise<Collected & { exit: number | null }> => {
      const { code, stdout } = await account.env("gc", "--yes", "--json");
      return { ...(JSON.parse(stdout) as Collected), exit: code };
    };
    const { faults } = account.desk.emulator;
    faults.add({ method: "DELETE", path: "/pages/{pageId}", phase: "status", status: 403, times: Infinity });
    const refused = await gc();
    expect(refused).toMatchObject({ exit: 1, reclaimed: [], left: [{ name: "pr-7" }] });
    const [left] = refused.left;
    expect(left?.what.map(({ type, name }) => `${type} ${name}`).sort()).toEqual(["Page guide", "Page offer"]);
    const down = await account.env("down", "--pr", "7", "--yes");
    expect([down.code, down.stdout]).toEqual([1, expect.stringMatching(/^left behind: Page offer: .*pages:write/m)]);
    expect((await account.env("list")).stdout).toMatch(/^pr-7 .*expired$/m);
    faults.clear();
    expect(await gc()).toMatchObject({ exit: 0, reclaimed: [{ name: "pr-7", reason: "expired" }], left: [] });
    expect(withoutEnded(account.holds())).toBe(before);
  });

  test("whose base is gone says so; with another one, or with a site and a project, it goes on", async () => {
    // A stack that only had a preview is no base.
    const looked = await account.desk.run(["preview", "--stack", "looked-at"]);
    // The base has the paths already.
    expect(looked.code, looked.stdout + looked.stderr).toBe(4);
    await up("--pr", "5");
    expect(await outputOf(4, account.env("up", "--pr", "6", "--base", "pr-5", "--yes"))).toContain(
      "pr-5 is a preview environment itself",
    );
    await outputOf(0, account.desk.run(["stack", "rm", "prod", "--force", "--yes"]));
    expect(await outputOf(4, account.env("up", "--pr", "5", "--yes"))).toContain(
      "pr-5 is a preview of prod, and that stack is not there any more",
    );
    const without = ["--pr", "5", "--site", "mugs.example", "--project", "Spring"];
    await up(...without);
    const again = await up(...without);
    expect(again.counts).toMatchObject({ create: 0, adopt: 0, update: 0, replace: 0, delete: 0 });
    await down("5");
  });
});

/** Leaves out ended subscriptions, which stay as records. */
function withoutEnded(holds: string): string {
  const records = JSON.parse(holds) as Record<string, { active?: boolean }[]>;
  const kept = Object.entries(records).map(([kind, all]) => [kind, all.filter(({ active }) => active !== false)]);
  return JSON.stringify(Object.fromEntries(kept));
}
