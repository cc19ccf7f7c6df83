/** Each block of each guide, in the order of the page: commands end as the page says, files are saved, and outputs are those of today. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { LandformApi } from "../../provider/api/index.ts";
import { Desk } from "../cli/harness.ts";
import { NearDesk } from "../cli/near-desk.ts";
import { call } from "../emulator/helpers.ts";
import { blockIn, FUNNEL, MANIFEST, nearShell, Reader, shellWith, type Guide, type Step } from "./reader.ts";
import { repository } from "./markdown.ts";
import { inTest } from "../suite/opened.ts";

vi.setConfig({ testTimeout: 300_000 });

const WORDS = readFileSync(join(repository, "examples/stories/words/landform.yaml"), "utf8");
const [FIRST, NEXT, IN_APP] = ["A mug worth getting up for", "A mug worth staying up for", "A mug worth sharing"];

const deployed = (...steps: Step[]): Guide => ({ deployed: true, steps });
/** The funnel of the README, with further lines. */
const funnelWith = (from: string | RegExp, to: string): Guide["files"] => ({ [MANIFEST]: FUNNEL.replace(from, to) });
const goesUp: Step[1] = (reader) => reader.run("up");

const GUIDES: Readonly<Record<string, Guide>> = {
  README: { files: {} },
  start: { files: {}, steps: [["up --stack staging", slugsByStack]] },
  "first-change": deployed(
    ['where "getting up"', committed],
    ["check", changed],
    ["ci apply --plans plans", planned],
    ["ci apply --plans plans", overtaken, 3],
    ["preview --save plan.json", (reader) => editInApp(reader, { "hero.title": NEXT })],
  ),
  copywriters: {
    ...deployed(["preview --html plan.html", ({ desk }) => desk.edit("copy/offer.csv", FIRST, NEXT)]),
    files: {
      ...funnelWith(/content: {.*}/, "content: { file: copy/offer.csv }"),
      "copy/offer.csv": blockIn("docs/guides/copywriters.md", "text"),
    },
  },
  translations: {
    files: {},
    steps: [
      ["copy import de.csv", ({ desk }) => desk.edit("de.csv", "A mug,,", "A mug,Ein Becher,")],
      ["check --fail-on stale", ({ desk }) => desk.edit("content/offer.en.yaml", "A mug", "Your mug"), 1],
    ],
  },
  "existing-account": { files: {}, shows: "my-account/landform.yaml" },
  "rolling-back": deployed(
    ["undo", deployedChange],
    ["undo --write", goesUp],
    ["history", deployedChange],
    ["undo --save undo.json", goesUp],
  ),
  "edited-in-the-app": deployed(
    ["drift", (reader) => editInApp(reader, { "hero.title": IN_APP })],
    ["up", withANote, 1],
    ["up", withAProduct, 1],
  ),
  "lost-state": deployed(["stack ls", ({ desk }) => rmSync(desk.path(".pulumi"), { recursive: true })]),
  "moving-pages": {
    ...deployed(
      ["preview", (reader) => reader.desk.edit(MANIFEST, "slug: offer", "slug: deal")],
      ["redirects --format nginx > moved.conf", goesUp],
    ),
    files: funnelWith(
      "funnels:\n",
      `  home:
    template: tpl-hero
    variables: { brand: Example Mugs }
    content: { hero.text: 'read <a href="/offer">the offer</a>' }
    publish: { site: mugs.example, slug: home }
products:
  mug: { ctaUrl: { ref: pages.offer.url } }
funnels:
`,
    ),
  },
  "many-pages": { files: {}, steps: [["drift --write", goesUp]] },
  types: {},
  lint: {},
  releases: { files: {}, program: "index.ts" },
  "finding-texts": {
    ...deployed(),
    files: { [MANIFEST]: WORDS.replace(FIRST, '"Hello {{brand}}"') },
  },
  previews: { steps: [["env up --pr 12", (reader) => reader.run("up --stack prod")]] },
  ci: {
    places: { "s3://team-state/plans": () => "plans" },
    steps: [["init shop --template yaml --ci gitlab", ({ desk }) => rmSync(desk.path("shop"), { recursive: true })]],
  },
  teams: {
    places: { "s3://team-state?region=eu-central-1": (desk) => `file://${desk.folder}` },
    steps: [["up", ({ desk }) => desk.write(".landform-passphrase", "correct horse\n")]],
  },
  "rotate-key": { deployed: true, places: { "the-new-key": ({ emulator }) => emulator.createKey() } },
  upgrade: deployed(),
  webhooks: {
    ...deployed(),
    files: funnelWith(
      "outputs:\n",
      `hooks:
  leads: { eventType: form_lead.created, targetUrl: https://leads.example/landform, token: true }
outputs:
  tokens: hooks.leads.deliveryToken
`,
    ),
    program: "receiver.mts",
  },
};

function slugsByStack({ desk }: Reader): void {
  for (const slug of ["offer", "thanks"])
    desk.edit("shop/landform.yaml", `slug: ${slug} }`, `slug: "\${stack}/${slug}" }`);
}

test("all guides are here", () => {
  const files = globSync("docs/guides/*.md", { cwd: repository }).map((file) => basename(file, ".md"));
  // test/docs/reconciliation.test.ts carries out the page about tools of others.
  expect(Object.keys(GUIDES).concat("without-ci").sort()).toEqual(files.concat("README").sort());
});

test("the comment that a copywriter reads", async () => {
  const desk = await inTest(NearDesk.open());
  const reader = new Reader(desk, nearShell(desk), {});
  desk.write(MANIFEST, FUNNEL);
  await reader.run("up");
  changed(reader);
  await editInApp(reader, { "hero.note": "Only today: three for two" });
  await planned(reader);
  reader.isQuotedIn("docs/guides/copywriters.md");
});

describe("with the packed product, in a shell", { tags: ["thorough"] }, () => {
  let root: string;
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), "landform-packed-"));
    const run = (command: string, ...args: string[]) => execFileSync(command, args, { cwd: repository, stdio: "pipe" });
    run("npm", "pack", "--ignore-scripts", "--pack-destination", root);
    const [archive = ""] = readdirSync(root);
    const modules = join(root, "node_modules");
    mkdirSync(join(modules, ".bin"), { recursive: true });
    run("tar", "-xzf", join(root, archive), "-C", modules);
    run("mv", join(modules, "package"), join(modules, "landform"));
    // In place of a registry: the packages of this checkout.
    for (const name of readdirSync(join(repository, "node_modules")))
      if (name !== "landform" && name !== ".bin")
        symlinkSync(join(repository, "node_modules", name), join(modules, name));
    chmodSync(join(modules, "landform/dist/cli/main.js"), 0o755);
    symlinkSync("../landform/dist/cli/main.js", join(modules, ".bin/landform"));
    writeFileSync(join(modules, ".bin/npx"), '#!/bin/sh\nprogram=$1; shift; exec "$program" "$@"\n', { mode: 0o755 });
  });
  afterAll(() => rmSync(root, { recursive: true }));

  test.each(Object.entries(GUIDES))("%s", async (name, guide) => {
    const desk = await inTest(Desk.open(undefined, accountOf(name)));
    const modules = join(root, "node_modules");
    symlinkSync(modules, desk.path("node_modules"));
    const programs = [join(modules, ".bin"), join(repository, "node_modules/node/bin")].join(":");
    await new Reader(desk, shellWith(programs), guide).follow(pageOf(name));
  });

  test("the receiver of the guide about webhooks", async () => {
    const desk = await Desk.open();
    const port = await freePort();
    symlinkSync(join(root, "node_modules"), desk.path("node_modules"));
    desk.write("receiver.mts", blockIn("docs/guides/webhooks.md", "ts").replace("8080", String(port)));
    const env = { ...desk.env, LANDFORM_TOKENS: "first,second" };
    const receiver = spawn(process.execPath, ["receiver.mts"], { cwd: desk.folder, env });
    onTestFinished(async () => {
      receiver.kill();
      await desk.close();
    });
    const { body } = await call<Record<string, unknown>[]>(desk.emulator, "GET", "/hooks/sample/form_lead.created");
    const post = async (token: string, event: unknown) =>
      (
        await fetch(`http://127.0.0.1:${port}/?landform_token=${token}`, {
          method: "POST",
          body: JSON.stringify(event),
        })
      ).status;
    await vi.waitFor(() => post("other", {}), { timeout: 30_000 });
    expect(
      await Promise.all([post("first", body[0]), post("second", body[0]), post("other", body[0]), post("first", "x")]),
    ).toEqual([200, 200, 403, 400]);
  });
});

/** Returns a port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

function pageOf(name: string): string {
  return name === "README" ? "README.md" : `docs/guides/${name}.md`;
}

function accountOf(guide: string): { seed?: "demo" } {
  return guide === "existing-account" ? { seed: "demo" } : {};
}

function changed({ desk }: Reader): void {
  desk.edit(MANIFEST, FIRST, NEXT);
}

async function deployedChange(reader: Reader): Promise<void> {
  changed(reader);
  await reader.run("up");
}

function committed({ desk }: Reader): void {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: desk.folder, stdio: "ignore" });
  git("init");
  git("add", MANIFEST);
  git("-c", "user.name=Anna", "-c", "user.email=anna@mugs.example", "commit", "-m", "The spring offer");
}

async function planned(reader: Reader): Promise<void> {
  await reader.run("ci plan --plans plans");
}

/** Somebody edits the headline that a reviewed plan changes. */
async function overtaken(reader: Reader): Promise<void> {
  reader.desk.edit(MANIFEST, NEXT, FIRST);
  await planned(reader);
  await editInApp(reader, { "hero.title": "Somebody was faster" });
}

/** A colleague edits the draft of the page that the reader changes. */
async function withANote(reader: Reader): Promise<void> {
  reader.desk.edit(MANIFEST, IN_APP, NEXT);
  await editInApp(reader, { "hero.note": "Only today: three for two" });
}

/** A colleague edits the text of a product that the reader changes. */
async function withAProduct(reader: Reader): Promise<void> {
  reader.desk.edit(MANIFEST, "outputs:", "products:\n  mug: { ctaText: Buy now }\noutputs:");
  await reader.run("up");
  await inApp(reader, async (api) => {
    const [mug] = reader.desk.emulator.records()["products"] ?? [];
    await api.products.update({ product_id: mug?.id ?? "", cta_text: "Order today" });
  });
  reader.desk.edit(MANIFEST, "ctaText: Buy now", "ctaText: Buy");
}

function editInApp(reader: Reader, updates: Readonly<Record<string, string>>): Promise<void> {
  return inApp(reader, async (api) => {
    for await (const { id } of api.pages.iterate()) await api.pages.updateContent({ page_id: id, updates });
  });
}

async function inApp({ desk }: Reader, work: (api: LandformApi) => Promise<void>): Promise<void> {
  const api = new LandformApi(desk.emulator);
  await work(api);
  await api.close();
}
