/** The links between documents, and to files of the repository, lead somewhere; texts and tables are as docs/style.md wants them. */
import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { digestsOf, withScenes } from "../../scripts/screenshots/scenes.ts";
import { anchorsOf, linksOf, repository, withoutBlocks } from "./markdown.ts";

const files = globSync(["*.md", "docs/**/*.md", "examples/*/README.md"], { cwd: repository });

test.each(files)("%s", (file) => {
  const text = readFileSync(join(repository, file), "utf8");
  const own = linksOf(text).filter((link) => !/^https?:/.test(link));
  expect(own.filter((link) => !leadsSomewhere(file, link))).toEqual([]);
  // Prettier turns the marks of a merge into a quotation and a row of a table.
  expect(text.split("\n").filter((line) => /^(<{7}|[>\s]{7,}\w+$|\|? ?={7})/.test(line))).toEqual([]);
});

function leadsSomewhere(from: string, link: string): boolean {
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? join(repository, from) : join(repository, dirname(from), path);
  if (!existsSync(target)) return false;
  return anchor === undefined || anchorsOf(readFileSync(target, "utf8")).has(anchor);
}

test("no table is wider than a screen", () => {
  const wide = files.filter((file) => /^\|.{120,}$/m.test(withoutBlocks(readFileSync(join(repository, file), "utf8"))));
  expect(wide).toEqual([]);
});

/** docs/style.md shows such sentences, and a heading may ask. */
test("no sentence begins with What, Of or Whether", () => {
  const found = files
    .filter((file) => file !== "docs/style.md")
    .flatMap((file) => withoutBlocks(readFileSync(join(repository, file), "utf8")).split("\n"))
    .filter((line) => !line.startsWith("#") && /(?:^|[.:!] |\*\*|^- )(?:What|Of|Whether) [^?]*$/.test(line));
  expect(found).toEqual([]);
});

test("there is something to look at", () => {
  expect(files).toContain("README.md");
  expect(files.length).toBeGreaterThan(10);
});

test("the pictures show the output of today: npm run screenshots makes them anew", async () => {
  const shown: unknown = JSON.parse(readFileSync(join(repository, "docs/images/outputs.json"), "utf8"));
  expect(await withScenes(digestsOf)).toEqual(shown);
});

test("no picture is larger than 200 kB", () => {
  const pictures = globSync("docs/images/*.png", { cwd: repository });
  expect(pictures.length).toBeGreaterThan(1);
  expect(pictures.filter((file) => statSync(join(repository, file)).size > 200_000)).toEqual([]);
});
