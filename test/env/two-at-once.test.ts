/** Two commands about the same environment at once: neither takes from the other what it works with. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { EmbeddedEngine } from "../../cli/engines/embedded.ts";
import { withSettingsOf } from "../../cli/env/settings-file.ts";
import { openProject, openStack } from "../../cli/project/open.ts";
import { FileBackend } from "../../engine/index.ts";

const SETTINGS = "config:\n  landform:baseUrl: https://api.example/v1\n";
const GONE = 2 ** 22 + 1;

let folder: string;
let copy: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "landform-at-once-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "landform.yaml"), "landform: 1\nname: mugs\n");
  writeFileSync(join(folder, "Pulumi.prod.yaml"), SETTINGS);
  copy = join(folder, "Pulumi.pr-7.yaml");
});

async function during(work: (file: string) => void): Promise<void> {
  const project = await openProject(folder, { runs: false });
  await withSettingsOf(project, "prod", "pr-7", () => {
    work(copy);
    return Promise.resolve();
  });
}

/** As another command does that began meanwhile, or before. */
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

test("a stack that the other one makes in the same moment is no failure: its lock says who goes on", async () => {
  const stack = await openStack(folder, "pr-7", undefined, { runs: false });
  await (await EmbeddedEngine.open(stack)).close();
  vi.spyOn(FileBackend.prototype, "exists").mockResolvedValueOnce(false);
  const second = await EmbeddedEngine.open(stack);
  onTestFinished(() => second.close());
  await second.hold();
  expect(await second.resources()).toEqual([]);
});
