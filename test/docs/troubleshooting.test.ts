/** docs/troubleshooting.md explains every kind of error, under the anchor that its name leads to. */
import { explain } from "../../stack/exit/report.ts";
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { anchorOf, guideTo, pageIn, seePage } from "../../provider/messages/failures.ts";
import { LockedError } from "../../engine/index.ts";
import { codes } from "../../manifest/index.ts";
import { print } from "../../story/print.ts";
import { anchorsOf, repository } from "./markdown.ts";

/** Base classes of other errors. */
const BASES = ["ApiError", "LifecycleError", "EngineError", "StateError", "CommandError", "OwnedFileError"];

const anchors = anchorsOf(readFileSync(join(repository, "docs/troubleshooting.md"), "utf8"));

function errorClasses(): string[] {
  const files = globSync("{provider,engine,manifest,stack,ci,story,cli,emulator}/**/*.ts", { cwd: repository });
  const found = files.flatMap((file) => {
    const text = readFileSync(join(repository, file), "utf8");
    return [...text.matchAll(/^export class (\w+(?:Error|Failure)) extends /gm)].map(([, name = ""]) => name);
  });
  return [...new Set(found)].filter((name) => !BASES.includes(name)).sort();
}

test("every error class has an entry", () => {
  const classes = errorClasses();
  expect(classes.length).toBeGreaterThan(40);
  expect(classes.filter((name) => !anchors.has(anchorOf(name)))).toEqual([]);
});

test("every problem of a manifest has an entry", () =>
  expect(Object.keys(codes).filter((code) => !anchors.has(`manifest-${code}`))).toEqual([]));

test("no entry is left of an error that is gone", () => {
  const known = new Set([...errorClasses().map(anchorOf), ...Object.keys(codes).map((code) => `manifest-${code}`)]);
  const text = readFileSync(join(repository, "docs/troubleshooting.md"), "utf8");
  const entries = anchorsOf(text.replaceAll(/^##? .*$/gm, ""));
  expect([...entries].filter((entry) => !known.has(entry))).toEqual([]);
});

test("a message leads to its entry", () => {
  const { message } = explain(new LockedError("the stack is locked", []), { verbose: false });
  expect(message).toBe("the stack is locked\n  See docs/troubleshooting.md#locked");
  expect(anchors).toContain("locked");
});

test("a person reads the path from the folder where the command runs", () => {
  const written: string[] = [];
  print(`The stack is locked. ${guideTo("locked")}`, { write: (text) => written.push(String(text)) > 0 });
  const [, path = ""] = /See (\S+)#locked\n$/.exec(written.join()) ?? [];
  expect(resolve(path)).toBe(join(repository, "docs/troubleshooting.md"));
  process.chdir(join(repository, "stack"));
  print(seePage("reference/lint.md"), { write: (text) => written.push(String(text)) > 0 });
  process.chdir(repository);
  expect(written.at(-1)).toBe("See ../docs/reference/lint.md\n");
});

test("the place is a path from the folder of the project that has the package", () => {
  expect(pageIn("/home/me/shop/node_modules/landform/dist/provider")).toBe(
    "node_modules/landform/docs/troubleshooting.md",
  );
  expect(pageIn("C:\\shop\\node_modules\\landform\\dist\\provider")).toBe(
    "node_modules/landform/docs/troubleshooting.md",
  );
  expect(pageIn("/home/me/landform/provider")).toBe("docs/troubleshooting.md");
});
