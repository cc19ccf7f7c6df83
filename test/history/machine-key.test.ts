/** The key of the machine, which opens the history where the stack's secrets can't: its owner's alone, and whole at any time. */
import { once } from "node:events";
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
import { setImmediate as turn } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { afterEach, beforeEach, expect, test } from "vitest";
import { machineKey } from "../../cli/history/keys.ts";
import { seal, unseal } from "../../provider/history/sealing.ts";

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

test("one that a killed run left empty is made anew", () => {
  mkdirSync(dirname(file));
  writeFileSync(file, "");
  const made = key();
  expect([unseal(made, seal(made, "x")), key()]).toEqual(["x", made]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("no link leads it elsewhere", () => {
  mkdirSync(dirname(file));
  writeFileSync(join(home, "of-others"), "");
  symlinkSync(join(home, "of-others"), file);
  expect(key).toThrow(/symbolic link/);
  expect(readFileSync(join(home, "of-others"), "utf8")).toBe("");
});

test("whoever looks while it is made finds it whole, or not at all", async () => {
  const worker = new Worker(new URL("./key-maker.ts", import.meta.url), { workerData: { home, times: 120 } });
  const done = once(worker, "message");
  const over = new AbortController();
  void done.then(() => over.abort());
  const lengths = new Set<number>();
  while (!over.signal.aborted) {
    for (let look = 0; look < 200; look++) lengths.add(lengthOf(file));
    await turn();
  }
  lengths.delete(-1);
  expect([...lengths]).toEqual([44]);
});

test("several who make it at once have the same", async () => {
  const makers = Array.from(
    { length: 3 },
    () => new Worker(new URL("./key-maker.ts", import.meta.url), { workerData: { home, times: 1 } }),
  );
  const made = await Promise.all(makers.map((maker) => once(maker, "message") as Promise<[string[]]>));
  expect(new Set(made.flat(2))).toEqual(new Set([key()]));
});

/** -1 where there is none. */
function lengthOf(path: string): number {
  try {
    return readFileSync(path).length;
  } catch {
    return -1;
  }
}
