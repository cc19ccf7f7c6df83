// @module-tag thorough
/** Mentions of an address or a page that goes: the plan names them before it happens, declared or not, with the new place. */
import { expect, test } from "vitest";
import { LandformApi } from "../../provider/api/index.ts";
import { leftToSoak, onBothEngines } from "../suite/parts.ts";
import { NearDesk } from "./near-desk.ts";
import { forEachTest } from "../suite/opened.ts";
import { outputOf } from "./harness.ts";

const manifest = ({ slug = "offer", site = "main", more = "" } = {}): string => `landform: 1
name: moving
sites:
  main: { name: moving.example }
  other: { name: elsewhere.example }
pages:
  offer:
    name: Offer
    template: tpl-hero
    content: { hero.title: Hello }
    variables: { brand: Acme }
    publish: { site: ${site}, slug: ${slug} }
  home:
    name: Home
    template: tpl-hero
    content:
      hero.title: { ref: pages.offer.url }
      hero.text: 'read <a href="/offer">the offer</a>'
    variables: { brand: Acme }
    publish: { site: main, slug: home }
products:
  mug: { name: Mug, price: 3, ctaUrl: { ref: pages.offer.url } }
funnels:
  spring: { steps: [{ page: offer, pageType: presell }] }
${more}`;

interface Mention {
  kind: string;
  type: string;
  name: string;
  path: string;
}

interface Plan {
  leaving?: { name: string; url?: string; to?: string; gone?: true; mentions: Mention[] }[];
  looked?: { what: string; read: number; left: number; failed?: string }[];
}

const desk = forEachTest(() => NearDesk.open());
const api = forEachTest(() => new LandformApi(desk.emulator));

const shown = ({ kind, type, name, path }: Mention): string => `${kind} ${type} ${name} ${path}`;

async function pageAt(slug: string) {
  const rows = await api.pages.list({ limit: 100 });
  const found = rows.find((row) => row.slug === slug);
  if (!found) throw new Error(`there is no page at ${slug}`);
  return found;
}

/** Colleagues make objects beside the program, with the present address and id of the page. */
async function colleagues(): Promise<void> {
  const { id, url } = await pageAt("offer");
  const old = await api.pages.createFromTemplate({ template_id: "tpl-hero", name: "Old landing" });
  await api.pages.updateContent({ page_id: old.id, updates: { "hero.text": `<a href="${url ?? ""}">Go</a>` } });
  await api.pages.updateContent({
    page_id: (await pageAt("home")).id,
    updates: { "hero.note": `${url ?? ""}?from=home` },
  });
  await api.products.create({ name: "Their cup", price: 1, cta_url: `${url ?? ""}/` });
  await api.funnels.create({
    name: "Their funnel",
    pages: [
      { pageId: id, pageType: "sales" },
      { url: url ?? "", pageType: "x" },
    ],
  });
}

onBothEngines((engine, path) => {
  const env = { PATH: path("/usr/bin:/bin") };
  const run = (...args: string[]) => desk.run([...args, "--engine", engine], { env });
  // This test is not about a colleague's draft on a page of the program.
  const up = () => run("up", "--yes", "--foreign-edits", "include");
  const plan = async (...args: string[]): Promise<Plan> => {
    await outputOf(0, run(...args, "--json", "plan.json", "--markdown", "plan.md"));
    return JSON.parse(desk.read("plan.json")) as Plan;
  };

  test.skipIf(leftToSoak(engine))(
    "a slug that changes, and changes back; a page that goes to another site, and goes",
    async () => {
      desk.write("landform.yaml", manifest());
      expect((await up()).code).toBe(0);
      await colleagues();
      const first = (await pageAt("offer")).url ?? "";

      desk.write("landform.yaml", manifest({ slug: "deal" }));
      const { leaving = [], looked } = await plan("preview");
      expect(leaving).toMatchObject([{ name: "offer", url: first, to: first.replace(/offer$/, "deal") }]);
      expect(leaving[0]?.mentions.map(shown).sort()).toEqual([
        'follows Page home content["hero.title"]',
        "follows Product mug ctaUrl",
        'stays Page home content["hero.text"]',
        "undeclared Funnel Their funnel steps[1].url",
        'undeclared Page Home content["hero.note"]',
        'undeclared Page Old landing content["hero.text"]',
        "undeclared Product Their cup ctaUrl",
      ]);
      expect(looked?.every(({ left, failed }) => left === 0 && failed === undefined)).toBe(true);
      const terminal = (await run("preview")).stdout;
      expect(terminal).toContain("Links to what moves or goes");
      expect(terminal).toMatch(/! Funnel Their funnel steps\[1\]\.url \(funnel_\w+, not this stack's\) points there/);
      expect(desk.read("plan.md")).toMatch(/⚠️ Funnel Their funnel .* points there/);

      // The mentions of the page have changed along, and nothing is left to do.
      desk.write("landform.yaml", manifest({ slug: "deal" }).replace("/offer", "/deal"));
      expect((await up()).code).toBe(0);
      expect((await run("preview", "--detailed-exitcode")).code).toBe(0);
      const moved = (await pageAt("deal")).url ?? "";
      const map = await api.builder.contentMap((await pageAt("home")).id);
      expect(JSON.stringify(map.fields)).toContain(moved);
      expect((await run("redirects")).stdout.split("\r\n")[1]).toMatch(`${first},${moved},`);

      desk.write("landform.yaml", manifest());
      expect((await plan("preview")).leaving?.[0]?.mentions.map(shown)).not.toContain(
        'stays Page home content["hero.text"]',
      );
      expect((await up()).code).toBe(0);
      const none = await run("redirects");
      expect([none.code, none.stdout, none.stderr]).toEqual([
        0,
        "from,to,since,resource\r\n",
        expect.stringContaining("No address of moving/dev has moved"),
      ]);

      // Another site means another page: its id goes, too.
      desk.write("landform.yaml", manifest({ site: "other" }).replace('href="/offer"', 'href="#"'));
      const [replaced] = (await plan("preview")).leaving ?? [];
      expect(replaced).toMatchObject({ name: "offer", url: first, gone: true });
      expect(replaced?.mentions.map(shown)).toEqual(
        expect.arrayContaining([
          "follows Funnel spring steps[0].pageId",
          "undeclared Funnel Their funnel steps[0].pageId",
        ]),
      );
      expect((await up()).code).toBe(0);
      expect((await run("preview", "--detailed-exitcode")).code).toBe(0);
      const elsewhere = (await pageAt("offer")).url ?? "";
      expect(elsewhere).not.toBe(first);
      expect((await run("redirects", "--format", "netlify")).stdout).toContain(`${first}  ${elsewhere}  301!`);

      // An address that another page takes again needs no redirect.
      const theirs = await api.pages.createFromTemplate({ template_id: "tpl-hero", name: "Theirs" });
      await api.pages.replaceVariables({ page_id: theirs.id, variables: { brand: "B" } });
      const site = (await api.sites.list({ limit: 100 })).find(({ name }) => name === "moving.example");
      await api.pages.publish({ page_id: theirs.id, site_id: site?.id ?? "", slug: "offer" });
      const taken = await run("redirects");
      expect([taken.stdout, taken.stderr]).toEqual([
        "from,to,since,resource\r\n",
        expect.stringContaining(`another page is there now: ${first}`),
      ]);

      const { leaving: all = [] } = await plan("destroy", "--yes");
      expect(all.map(({ name, gone }) => [name, gone]).sort()).toEqual([
        ["home", true],
        ["offer", true],
      ]);
    },
  );
});

test("a question that could not be asked is no answer", async () => {
  desk.write("landform.yaml", manifest());
  expect((await desk.run(["up", "--yes"])).code).toBe(0);
  desk.edit("landform.yaml", "hero.title: Hello", "hero.title: Hi");
  desk.emulator.requests.length = 0;
  expect((await desk.run(["preview"])).stdout).not.toContain("Points to");
  // If no address goes, the run looks for nothing.
  expect(desk.emulator.requests.filter(({ route }) => route === "/products")).toEqual([]);

  desk.write("landform.yaml", manifest({ slug: "deal" }).replace("/offer", "/deal"));
  desk.emulator.faults.add({
    method: "GET",
    path: "/search/page-content-map",
    phase: "status",
    status: 403,
    times: 100,
  });
  desk.emulator.faults.add({ method: "GET", path: "/funnels", phase: "status", status: 403, times: 100 });
  const told = await outputOf(0, desk.run(["preview", "--json", "plan.json", "--foreign-edits", "hold"]));
  const { looked = [] } = JSON.parse(desk.read("plan.json")) as Plan;
  expect(
    looked
      .filter(({ failed }) => failed !== undefined)
      .map(({ what, read }) => [what, read])
      .sort(),
  ).toEqual([
    ["funnels", 0],
    ["pages", 0],
  ]);
  expect(told).toMatch(/pages could not all be asked, so something there may point to it: .*403/);
  expect(told).toMatch(/funnels could not all be asked/);
  expect(await outputOf(0, desk.run(["redirects"], { env: { LANDFORM_BASE_URL: "http://127.0.0.1:9/v1" } }))).toContain(
    "could not be asked",
  );
});
