/** The machine's key, which opens the history if the stack's secrets can't: only its owner can read it, and it is whole at any time. */
import { spawnSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { machineKey } from "../../stack/history/keys.ts";
import { newKey, seal, unseal } from "../../provider/history/kept.ts";

let home: string;
let file: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "landform-key-"));
  file = join(home, "landform/history.key");
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const key = (): string => machineKey({ PULUMI_HOME: home });

test("is made once, and only its owner can read it", () => {
  const made = key();
  expect(unseal(made, seal(made, "x"))).toBe("x");
  expect([key(), readFileSync(file, "utf8")]).toEqual([made, made]);
  expect([statSync(file).mode & 0o777, statSync(dirname(file)).mode & 0o777]).toEqual([0o600, 0o700]);
  expect(readdirSync(dirname(file))).toEqual(["history.key"]);
});

test("no link leads it elsewhere", () => {
  mkdirSync(dirname(file));
  writeFileSync(join(home, "of-others"), "");
  symlinkSync(join(home, "of-others"), file);
  expect(key).toThrow(/symbolic link/);
  expect(readFileSync(join(home, "of-others"), "utf8")).toBe("");
});

/** Another process, whose `node:fs` does something before it goes on. */
function elsewhere(change: string) {
  const patch = `import fs from "node:fs"; import { syncBuiltinESMExports } from "node:module"; ${change}; syncBuiltinESMExports();`;
  const keys = JSON.stringify(pathToFileURL(join(import.meta.dirname, "../../stack/history/keys.ts")).href);
  const work = `const { machineKey } = await import(${keys}); process.stdout.write(machineKey({ PULUMI_HOME: ${JSON.stringify(home)} }));`;
  return spawnSync(process.execPath, ["--input-type=module", "-e", `${patch} ${work}`], { encoding: "utf8" });
}

test("of two who make it at once, the second takes that of the first", () => {
  const theirs = newKey();
  const faster = `const link = fs.linkSync; fs.linkSync = (from, to) => { fs.writeFileSync(to, "${theirs}"); return link(from, to); }`;
  const { stdout, stderr } = elsewhere(faster);
  expect([stdout, stderr.replace(/^\(node.*|^\(Use.*/gm, "").trim()]).toEqual([theirs, ""]);
  expect([key(), readdirSync(dirname(file))]).toEqual([theirs, ["history.key"]]);
});
