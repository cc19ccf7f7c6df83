/** Two commands about the same environment at once: neither takes anything away that the other is using. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { withSettingsOf } from "../../stack/env/base.ts";
import { openProject } from "../../stack/project/open.ts";
import { folderWith } from "../manifest/files.ts";
import { inTest } from "../suite/opened.ts";
import { realEngine as pulumi } from "../suite/parts.ts";
import { Account, BASE, mugs, page } from "./desk.ts";

const SETTINGS = "config:\n  landform:baseUrl: https://api.example/v1\n";
const GONE = 2 ** 22 + 1;

let folder: string;
let copy: string;

beforeEach(() => {
  folder = folderWith({ "landform.yaml": "landform: 1\nname: mugs\n", "Pulumi.prod.yaml": SETTINGS });
  copy = join(folder, "Pulumi.pr-7.yaml");
});

async function during(work: (file: string) => void): Promise<void> {
  const project = await openProject(folder, { runs: false });
  await withSettingsOf(project, "prod", "pr-7", () => {
    work(copy);
    return Promise.resolve();
  });
}

/** Plays another command that began before or in the meantime. */
function alsoUsedBy(pid: number): void {
  writeFileSync(copy, readFileSync(copy, "utf8").replace(String(process.pid), `${process.pid}, ${pid}`));
}

test("the base's settings are there while the last of them runs, and no longer", async () => {
  await during((file) => {
    expect(readFileSync(file, "utf8")).toContain(SETTINGS);
    alsoUsedBy(process.ppid);
  });
  expect(readFileSync(copy, "utf8")).toMatch(new RegExp(`In use by: ${process.ppid}\n${SETTINGS}$`));
  writeFileSync(copy, readFileSync(copy, "utf8").replace(String(process.ppid), String(GONE)));
  await during((file) => expect(readFileSync(file, "utf8")).toContain(`In use by: ${process.pid}\n`));
  expect(existsSync(copy)).toBe(false);
});

test("what one that was killed had is taken over; a file of the environment's own is left alone", async () => {
  await during(() => alsoUsedBy(GONE));
  expect(existsSync(copy)).toBe(false);
  writeFileSync(copy, "config: {}\n");
  await during((file) => expect(readFileSync(file, "utf8")).toBe("config: {}\n"));
  expect(readFileSync(copy, "utf8")).toBe("config: {}\n");
});

const PROGRAM = mugs(`pages:\n${page("offer", "Offer", "publish: { site: mugs, slug: offer }")}`);

test.skipIf(pulumi === undefined)(
  "no more go live than --max-live allows",
  { tags: ["thorough"], timeout: 240_000 },
  async () => {
    const { desk } = await inTest(Account.of(PROGRAM));
    desk.also.env = { PATH: [dirname(pulumi ?? ""), desk.env["PATH"]].join(delimiter) };
    const up = (pr: string) => desk.run(["env", "up", "--pr", pr, "--max-live", "1", "--base", BASE, "--yes"]);
    const ended = await Promise.all([up("21"), up("22")]);
    const told = ended.map(({ stdout, stderr }) => stdout + stderr).join("\n");
    expect(ended.map(({ code }) => code).sort(), told).toEqual([0, 3]);
    expect(told).toContain("--max-live allows 1: pr-2");
    const [live] = ended[0].code === 0 ? ["21"] : ["22"];
    expect((await desk.says(0, "stack", "ls")).match(/pr-\d+/g)).toEqual([`pr-${live}`]);
    expect(await desk.says(0, "env", "up", "--pr", live, "--yes")).toContain("no changes");
  },
);
