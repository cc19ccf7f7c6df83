/** Each story of examples/stories: the commands of its README in order, and their results. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { WalkDesk } from "../walk/desk.ts";
import { repository } from "./folders.ts";
import { thorough } from "../suite/parts.ts";

let desk: WalkDesk;
beforeEach(async () => {
  // The tests run on the embedded engine: Pulumi's engine has no programs in this process, and an undo is one.
  vi.stubEnv("PATH", "/usr/bin:/bin");
  desk = await WalkDesk.open();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await desk.close();
});

/** Runs the commands, which have to end with 0, and returns the output of each. */
async function told(name: string, between: Record<number, () => void> = {}): Promise<string[]> {
  const folder = join(repository, "examples/stories", name);
  desk.write("landform.yaml", readFileSync(join(folder, "landform.yaml"), "utf8"));
  const lines = readFileSync(join(folder, "README.md"), "utf8").split("\n");
  const commands = lines.filter((line) => line.startsWith("npx landform "));
  const printed: string[] = [];
  for (const [index, line] of commands.entries()) {
    const words = [...line.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);
    const [, , command = "", ...args] = words;
    const asks = ["up", "undo"].includes(command);
    const ended = await desk.command(command, ...args, ...(asks ? ["--yes"] : []));
    expect(ended.code, `${line}: ${ended.printed}`).toBe(0);
    printed.push(ended.printed);
    between[index]?.();
  }
  const last = await desk.command("preview", "--detailed-exitcode");
  expect(last.code, last.printed).toBe(0);
  return printed;
}

const change = (from: string, to: string) => () =>
  desk.write("landform.yaml", desk.read("landform.yaml").replace(from, to));

const visitors = async (site: string, slug = "offer"): Promise<string> =>
  (await fetch(`${desk.emulator.url}/_sites/${site}/${slug}`)).text();

thorough("verify: what was published is seen", async () => {
  const [first] = await told("verify");
  expect(first).toMatch(/seen/);
});

thorough("undo: the page and the code say again what they said", async () => {
  expect((await told("undo", { 0: change("getting up", "staying up") })).at(-1)).toContain("Undo of run");
  expect(await visitors("undo-example")).toContain("A mug worth getting up for");
  expect(desk.read("landform.yaml")).toContain("getting up for");
});

test("redirects: the redirect of a page that moved", async () => {
  const printed = await told("redirects", { 0: change("slug: offer", "slug: spring") });
  expect(printed.at(-1)).toMatch(/\/offer\s+\S*\/spring\s+301/);
});

test("words: a sentence is found where it is declared", async () => {
  expect((await told("words"))[1]).toMatch(/landform\.yaml:\d+/);
});
