/** A command in a message names the folder and the stack of the run that it is about. */
import { mkdirSync } from "node:fs";
import { beforeEach, expect, test } from "vitest";
import { forEachTest } from "../suite/opened.ts";
import { inTheApp } from "../suite/app.ts";
import { outputOf } from "./harness.ts";
import { NearDesk } from "./near-desk.ts";

const desk = forEachTest(() => NearDesk.open());
beforeEach(() => {
  mkdirSync(desk.path("shop"));
});
const run = (code: number, command: string, ...args: string[]): Promise<string> =>
  outputOf(code, desk.run([command, "-C", "shop", "-s", "prod", ...args]));

test("what the code and somebody in the app have changed is decided in that stack", async () => {
  const page = (title: string): void =>
    desk.write(
      "shop/landform.yaml",
      `landform: 1\nname: shop\nsites: { main: { name: shop.example } }\npages:\n  home: { template: tpl-hero, variables: { brand: Acme }, content: { hero.title: ${title} }, publish: { site: main, slug: home } }\n`,
    );
  page("One");
  await run(0, "up", "--yes");
  const [{ id } = { id: "" }] = await inTheApp<{ id: string }[]>(desk, "GET", "/pages");
  await inTheApp(desk, "PATCH", "/pages/content", { page_id: id, updates: { "hero.title": "By hand" } });
  page("Two");
  const told = await run(1, "up", "--yes");
  expect(told).toContain("Put the value of the app into the code or the old one back in the app, and run up again.");
  expect(told).toContain(
    "npx landform up -s prod -C shop publishes what was held back, once the code and the app agree on those values.",
  );
  expect(await run(0, "preview", "--refresh")).toContain("npx landform up -s prod -C shop");
  expect(await run(0, "drift")).toContain(
    "npx landform up -s prod -C shop --refresh --foreign-edits include writes the code's values over them.",
  );
});

test("a setting that a program lacks is set in that stack", async () => {
  const imports = 'import * as pulumi from "@pulumi/pulumi";\n';
  desk.program("new pulumi.Config().require('brand');");
  for (const name of ["Pulumi.yaml", "package.json"]) desk.write(`shop/${name}`, desk.read(name));
  desk.write("shop/index.ts", imports + desk.read("index.ts"));
  const { stdout, stderr, code } = await desk.apart(["preview", "-C", "shop", "-s", "prod"]);
  expect(code, stdout + stderr).toBe(4);
  expect(stdout + stderr).toContain("npx landform config set -s prod -C shop 'test:brand' VALUE sets it.");
});
