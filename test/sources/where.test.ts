// @module-tag thorough
/** `where` leads from a sentence to its line, with a manifest and with a program. */
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { LandformApi } from "../../provider/api/index.ts";
import { NearDesk } from "../cli/near-desk.ts";
import { forEachTest } from "../suite/opened.ts";
import { outputOf } from "../cli/harness.ts";

const MANIFEST = `landform: 1
name: words
x-texts:
  claim: &claim 'Mugs, since 1980' # kept
sites: { main: { name: words.example } }
pages:
  offer:
    name: Offer
    template: tpl-hero
    content:
      hero.title: Hello {{brand}}   # the headline
      hero.text: { file: offer.md }
      hero.note: *claim
    variables: { brand: { env: BRAND, default: Acme } }
    publish: { site: main, slug: offer }
  home:
    name: Home
    template: tpl-hero
    content: { hero.title: *claim, hero.note: "say \\"mugs\\"" }
    variables: { brand: Acme }
    publish: { site: main, slug: home }
`;
const OFFER = "# The best\r\n\r\nOnly for {{brand}} friends.\r\n";

const PROGRAM = `import { readFileSync } from "node:fs"; // Hello in a comment
const site = new landform.Site("Hello", { name: "words.example" });
const what = "mugs";
new landform.Page("offer", {
  templateId: "tpl-hero",
  content: { "hero.title": 'It\\'s Hello {{brand}}', "hero.note": \`All \${what} here\`, "hero.text": readFileSync("text.md", "utf8") },
  variables: { brand: "Acme" },
  publish: { siteId: site.id, slug: "offer" },
});`;

interface Found {
  found: {
    kind: string;
    place?: { name: string; line: number };
    path: string;
    shown?: string;
    objects: { name: string }[];
    run?: { id: string };
    commit?: { author: string };
  }[];
  undeclared?: { name: string; path: (string | number)[] }[];
}

const desk = forEachTest(() => NearDesk.open());

async function where(text: string): Promise<Found> {
  const { stdout } = await desk.run(["where", text, "--json"]);
  return JSON.parse(stdout) as Found;
}

test("landform.yaml", async () => {
  desk.write("landform.yaml", MANIFEST);
  desk.write("offer.md", OFFER);
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=Jane", "-c", "user.email=j@a.example", ...args], { cwd: desk.folder });
  git("init", "-q");
  git("add", "landform.yaml");
  git("commit", "-qm", "The headline");
  expect((await desk.run(["up", "--yes"])).code).toBe(0);

  const [headline, ...more] = (await where("Hello Acme")).found;
  expect(more).toEqual([]);
  expect(headline).toMatchObject({
    kind: "declared",
    place: { name: "landform.yaml", line: 11 },
    path: 'pages.offer.content["hero.title"]',
    shown: "Hello Acme",
    objects: [{ name: "offer" }],
    commit: { author: "Jane", summary: "The headline" },
  });
  expect(headline?.run?.id).toMatch(/^\d{8}-/);
  expect((await where("for acme FRIENDS")).found).toMatchObject([{ place: { name: "offer.md", line: 3 } }]);

  // An undeclared text is named with its page, and an unknown text with a similar one.
  const api = new LandformApi(desk.emulator);
  const { id } = await api.pages.createFromTemplate({ template_id: "tpl-hero", name: "Theirs" });
  await api.pages.updateContent({ page_id: id, updates: { "hero.text": "A sentence of theirs, with mugs" } });
  await api.close();
  expect(await where("sentence of theirs")).toMatchObject({
    found: [],
    undeclared: [{ name: "Theirs", path: ["content", "hero.text"] }],
  });
  expect(await outputOf(1, desk.run(["where", "the very best for friends of ours"]))).toMatch(
    /No text has[^]*Landform looked at[^]*near: "# The best/,
  );
  expect((await desk.run(["preview", "--detailed-exitcode"])).code).toBe(0);
}, 240_000);

test("a program", async () => {
  desk.program(PROGRAM);
  desk.write("text.md", "A text of mugs.\n");
  desk.write("README.md", "About mugs.\n");
  // Reports of a run lie in the same folder, and are no texts of the program.
  const reports = ["--html", "up.html", "--json", "up.json", "--markdown", "up.md"];
  expect((await desk.run(["up", "--yes", ...reports])).code).toBe(0);
  expect((await where("Hello Acme")).found).toMatchObject([
    { place: { name: "index.ts", line: 7 }, path: 'content["hero.title"]', shown: "It's Hello Acme" },
  ]);
  expect((await where("All mugs here")).found).toMatchObject([
    { kind: "computed", place: { name: "index.ts", line: 5 }, path: 'content["hero.note"]' },
  ]);
  expect((await desk.run(["preview", "--detailed-exitcode"])).code).toBe(0);
}, 240_000);

test("an address of an entry that is repeated over a file of data leads to the entry", async () => {
  desk.write("markets.csv", "market,slug\nde,danke\nuk,thanks\n");
  desk.write(
    "landform.yaml",
    `landform: 1
name: each
sites: { main: { name: each.example } }
pages:
  thanks:
    each: { file: markets.csv, key: market }
    template: tpl-hero
    content: { hero.title: Thanks }
    variables: { brand: Acme }
    publish: { site: main, slug: "\${each.slug}" }
`,
  );
  const up = await desk.run(["up", "--yes", "--json"]);
  expect(up.code, up.stdout + up.stderr).toBe(0);
  const { urls } = JSON.parse(up.stdout) as { urls: string[] };
  const url = urls.find((one) => one.endsWith("/danke")) ?? "";
  for (const asked of [url, url.replace("http://", ""), "/danke", "/danke/"]) {
    const [page] = (await where(asked)).found;
    expect([asked, page]).toMatchObject([
      asked,
      { place: { name: "landform.yaml", line: 5 }, objects: [{ name: "thanks-de" }] },
    ]);
  }
  const { stdout } = await desk.run(["where", "Thanks"]);
  expect(stdout).toMatch(
    /^ {2}landform\.yaml:8:\d+\n {4}"Thanks"\n {4}Page thanks-de .*\n {4}Page thanks-uk .*\n {4}last/,
  );
  expect(stdout.match(/landform\.yaml:8/g)).toHaveLength(1);
  expect((await desk.run(["preview", "--detailed-exitcode"])).code).toBe(0);
});
