/** A watch by itself: it tries again, ignores files that the program writes, and gives up a plan when its code is gone. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { startEmulator } from "../../emulator/index.ts";
import { ownFileText, OwnFiles } from "../../cli/watch/files.ts";
import { obstacleOf } from "../../cli/watch/round.ts";
import type { Failure } from "../../stack/report/model.ts";
import { Desk } from "./harness.ts";
import { Watching } from "./watching.ts";
import { thorough } from "../suite/parts.ts";

vi.setConfig({ testTimeout: 300_000 });

const SITE = 'new landform.Site("main", { name: "watched.example" });';

thorough("what the service could not be reached for is applied once it answers, without a save", async () => {
  const home = mkdtempSync(join(tmpdir(), "landform-watch-"));
  const data = join(home, "account.db");
  const away = await Desk.open(undefined, { data });
  onTestFinished(() => rmSync(home, { recursive: true }));
  await away.emulator.close();
  away.program(SITE);
  const watching = new Watching(away, ["--yes"]);
  await watching.until("Tried again once the service answers.");
  const back = await startEmulator({ data, port: Number(new URL(away.emulator.url).port) });
  onTestFinished(async () => {
    await back.close();
    rmSync(away.folder, { recursive: true });
  });
  await watching.until("1 created");
  await watching.end();
});

test("a program's own file is one that changes in each of three runs in a row that apply nothing", () => {
  const own = new OwnFiles();
  const heard = (during: string[], hasApplied = false): string[] => own.heard(during, { hasApplied });
  expect([heard(["a.json"]), heard(["a.json"]), heard([]), heard(["a.json"]), heard(["a.json"], true)].flat()).toEqual(
    [],
  );
  expect([heard(["a.json", "b.ts"]), heard(["a.json", "b.ts"])].flat()).toEqual([]);
  expect(heard(["a.json", "b.ts"])).toEqual(["a.json", "b.ts"]);
  expect([own.has("a.json"), own.has("b.ts"), own.has("c.md")]).toEqual([true, false, false]);
  expect(ownFileText("b.ts")).not.toContain("starts no further one");
});

test("only where nothing but the service is wrong, it is tried again", () => {
  const failure = (code: string): Failure => ({ cause: "operation", message: code, step: { code, kind: "page" } });
  const of = (...failures: Failure[]) => obstacleOf({ result: "failed", failures });
  expect([of(failure("network"), failure("server")), of(failure("timeout"))]).toEqual(["service", "service"]);
  expect([of(failure("network"), failure("conflict")), of(), of({ cause: "operation", message: "?" })]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(of({ cause: "locked", message: "held" })).toBe("locked");
});
