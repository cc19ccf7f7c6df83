// @module-tag thorough
/** The options of `env up`: another site, dashes, hooks, drafts. Its end leaves nothing of any of them. */
import { describe, expect, test } from "vitest";
import { startEmulator } from "../../emulator/index.ts";
import type { Collected } from "../../stack/env/gc.ts";
import { forAllTests, inTest } from "../suite/opened.ts";
import { Account, mugs, NOTHING, page } from "./desk.ts";

const PROGRAM = mugs(
  `pages:
${page("offer", "Offer", "content: { hero.cta.url: /guides/mugs }, publish: { site: mugs, slug: offer }")}
${page("guide", "Guide", "publish: { site: mugs, slug: guides/mugs }")}
hooks:
  leads: { eventType: form_lead.created, targetUrl: "https://hooks.example.com/leads" }
`,
  { sites: ["mugs", "previews"] },
);

describe("an environment", { timeout: 120_000 }, () => {
  /** This key can't tell its owner. */
  let narrow: string;
  const account = forAllTests(() =>
    Account.open((desk) => {
      desk.declare(PROGRAM);
      narrow = desk.emulator.createKey({ scopes: ["projects:read", "sites:read", "pages:read", "pages:write"] });
    }),
  );

  const isAsBefore = (): void => expect(withoutEnded(account.holds())).toBe(withoutEnded(account.before));
  const down = async (pr: string): Promise<void> => {
    await account.down("--pr", pr);
    isAsBefore();
  };
  const hooks = (): number => account.desk.emulator.records()["hooks"]?.length ?? 0;

  test("on a site of its own, with dashes and hooks, which the next run keeps and its end removes", async () => {
    const of = hooks();
    const args = ["--pr", "1", "--site", "previews.example", "--slug-style", "dash", "--hooks"];
    const urls = (await account.up(...args)).urls.toSorted();
    expect(urls.map((url) => url.replace(/pr-1-[a-z0-9]{10}/, "pr-1").replace(/:\d+/, ""))).toEqual([
      "http://previews-example.localhost/pr-1-guides-mugs",
      "http://previews-example.localhost/pr-1-offer",
    ]);
    expect(JSON.stringify(account.desk.emulator.records())).toMatch(/"\S*\/pr-1-[a-z0-9]{10}-guides-mugs\\*"/);
    expect(hooks()).toBe(of + 1);
    expect((await account.up("--pr", "1", "--hooks")).counts).toMatchObject(NOTHING);
    await down("1");
  });

  test("is made with a key of the base's account alone", async () => {
    const other = await inTest(startEmulator());
    const refused = (env: Record<string, string>) => account.desk.saysWith(env, 4, "env", "up", "--pr", "7", "--yes");
    expect(await refused({ LANDFORM_BASE_URL: other.baseUrl, LANDFORM_API_KEY: other.apiKey })).toMatch(
      /belongs to account .*prod/,
    );
    expect(other.requests.filter(({ method }) => method !== "GET")).toEqual([]);
    expect(await refused({ LANDFORM_API_KEY: narrow })).toContain("needs the scope account:read");
    isAsBefore();
  });

  test("as drafts: nothing is public, and links lead to the builder", async () => {
    const { urls } = await account.up("--pr", "2", "--drafts");
    expect(urls).toEqual([]);
    expect(account.ofPreview("pr-2").map(({ slug }) => slug)).toEqual([null, null]);
    expect(await account.says(0, "list")).toMatch(/Page offer {2}http\S+ \(draft\)/);
    await down("2");
  });

  test("that can't be removed is named with what is left, and the next gc goes on with it", async () => {
    await account.up("--pr", "7", "--ttl", "0.0000001");
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
    expect(await account.says(1, "down", "--pr", "7", "--yes")).toMatch(/^left behind: Page offer: .*pages:write/m);
    expect(await account.says(0, "list")).toMatch(/^pr-7 .*expired$/m);
    faults.clear();
    expect(await gc()).toMatchObject({ exit: 0, reclaimed: [{ name: "pr-7", reason: "expired" }], left: [] });
    isAsBefore();
  });

  test("whose base is gone says so; with another one, or with a site and a project, it goes on", async () => {
    // A stack that only had a preview is no base. Its preview fails, because the base has the paths already.
    await account.desk.says(4, "preview", "--stack", "looked-at");
    await account.up("--pr", "5");
    expect(await account.says(4, "up", "--pr", "6", "--base", "pr-5", "--yes")).toContain(
      "pr-5 is a preview environment itself",
    );
    await account.desk.says(0, "stack", "rm", "prod", "--force", "--yes");
    expect(await account.says(4, "up", "--pr", "5", "--yes")).toContain(
      "pr-5 is a preview of prod, and that stack is not there any more",
    );
    const without = ["--pr", "5", "--site", "mugs.example", "--project", "Spring"];
    await account.up(...without);
    expect((await account.up(...without)).counts).toMatchObject(NOTHING);
    await down("5");
  });
});

/** Leaves out ended subscriptions, which stay as records. */
function withoutEnded(holds: string): string {
  const records = JSON.parse(holds) as Record<string, { active?: boolean }[]>;
  const kept = Object.entries(records).map(([kind, all]) => [kind, all.filter(({ active }) => active !== false)]);
  return JSON.stringify(Object.fromEntries(kept));
}
