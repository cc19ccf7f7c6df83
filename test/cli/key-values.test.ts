/** The API key: without one a command names everything that is missing; as a value it is refused before anything is sent, and no text contains it. */
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { NearDesk } from "./near-desk.ts";

const desk = NearDesk.each();

const KEPT = ".pulumi";

function kept(): string {
  if (!existsSync(desk.path(KEPT))) return "";
  const files = readdirSync(desk.path(KEPT), { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  return files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), "utf8")).join("\n");
}

test("in landform.yaml: the variable of the default account, and those of others", async () => {
  desk.declare(`landform: 1
name: keys
accounts: { other: { baseUrl: "https://other.example/v1", apiKeyEnv: OTHER_KEY } }
pages:
  k: { name: { env: LANDFORM_API_KEY } }
  l: { content: { a: { env: OTHER_KEY } } }
  m: { name: { env: NAME, default: M } }
`);
  for (const command of [["check"], ["up", "--yes"]]) {
    const told = await desk.saysWith({ OTHER_KEY: "lfk_of_the_other" }, 4, ...command);
    expect(told).toContain("landform.yaml:5:14: error: pages.k.name takes the variable LANDFORM_API_KEY");
    expect(told).toContain("landform.yaml:6:22: error: pages.l.content.a takes the variable OTHER_KEY");
    expect(told).not.toContain("pages.m");
  }
  expect(desk.writes()).toEqual([]);
});

test("in a program, and under another name in landform.yaml: any text that holds it", async () => {
  const key = desk.emulator.apiKey;
  desk.declare(`landform: 1\nname: keys\npages: { k: { content: { a: { env: COPIED } } } }\n`);
  const copied = await desk.saysWith({ COPIED: `key ${key}` }, 4, "up", "--yes");
  expect(copied).toContain("content.a: holds the API key");
  rmSync(desk.path("landform.yaml"));
  desk.program("new landform.Page('k', { tags: ['a', `key ${process.env.LANDFORM_API_KEY}`] });");
  const ran = await desk.says(4, "up", "--yes");
  expect(ran).toContain("tags[1]: holds the API key");
  for (const text of [copied, ran, kept()]) expect(text).not.toContain(key);
  expect(desk.writes()).toEqual([]);
});

test("what a manifest holds does nothing to a terminal, in whatever command tells of it", async () => {
  desk.declare('landform: 1\npages: { a: { "x\\e[31m": 1, name: "${nope\\e[2J}", project: "q\\e[2J\\e]0;t\\a" } }\n');
  for (const command of ["check", "preview"]) {
    const said = await desk.says(4, command);
    expect(said).toContain("␛[31m");
    // eslint-disable-next-line no-control-regex -- that is what is looked for
    expect(said).not.toMatch(/[\u0000-\u0008\u000b-\u001f]/);
  }
});

const NO_ACCESS = { LANDFORM_BASE_URL: "", LANDFORM_API_KEY: "" };

const declares = () => desk.declare("landform: 1\nname: access\nproducts: { mug: { price: 12.5 } }\n");

test.each([
  ["preview"],
  ["up", "--yes"],
  ["adopt"],
  ["check", "--online"],
  ["templates", "ls"],
  ["export", "-o", "elsewhere"],
])("%s %s without the address and the key", async (...args) => {
  const { code, stderr } = await declares().run(args, { env: NO_ACCESS });
  expect(code).toBe(4);
  expect(stderr).toContain("LANDFORM_BASE_URL and LANDFORM_API_KEY are not set");
  expect(stderr).toContain("export LANDFORM_API_KEY=KEY");
  expect(stderr).toContain("npx landform emulator");
  expect(stderr.includes("landform config set")).toBe(args[0] !== "export");
  expect(desk.writes()).toEqual([]);
});

test("doctor without the address and the key", async () => {
  const told = await declares().saysWith(NO_ACCESS, 1, "doctor");
  expect(told).toContain("✗ LANDFORM_BASE_URL and LANDFORM_API_KEY are not set");
  for (const way of ["export LANDFORM_API_KEY=KEY", "landform config set", "npx landform emulator"])
    expect(told).toContain(way);
});

const MARKED = "X [lf-00000000-0000000000-1111]";

test.each([
  `pages: { a: { name: "${MARKED}" } }`,
  `pages: { "${MARKED}": {} }`,
  `products: { a: { name: "${MARKED}", price: 3 } }`,
])("a name with a marker like ours is refused, since each run would make the object anew: %s", async (declared) => {
  desk.declare(`landform: 1\nname: marked\n${declared}`);
  for (const command of [["preview"], ["up", "--yes"]])
    expect(await desk.says(4, ...command)).toContain("name: holds a marker like [lf-…]");
  expect(desk.writes()).toEqual([]);
});
