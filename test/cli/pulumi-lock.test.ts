// @module-tag thorough
/** A lock that Pulumi finds, such as one of a killed run. */
import { mkdirSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { FileBackend } from "../../engine/index.ts";
import { realEngine as pulumi } from "../suite/parts.ts";
import { Desk, outputOf } from "./harness.ts";
import { inTest } from "../suite/opened.ts";

test.skipIf(pulumi === undefined)(
  "who holds the lock, since when, and what frees the stack",
  { timeout: 240_000 },
  async () => {
    const desk = await inTest(Desk.open());
    const declare = (...mugs: string[]): void =>
      desk.program(mugs.map((name) => `new landform.Product("${name}", { price: 3 });`).join("\n"));
    declare("one");
    const PATH = [dirname(pulumi ?? ""), desk.env["PATH"]].join(delimiter);
    const run = () => desk.run(["up", "--yes", "--engine", "pulumi"], { env: { PATH } });
    expect((await run()).code).toBe(0);
    const backend = await FileBackend.open(desk.folder);
    const lock = await backend.lock({ project: "test", stack: "dev" });
    // An up that changes nothing asks for no lock.
    declare("one", "two");
    const { code, stdout } = await run();
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^error: the stack is locked by another run, and nothing was sent:\n {2}.*@.*, process \d+, since /m,
    );
    expect(stdout).toContain(`process ${process.pid}`);
    expect(stdout).toContain("npx landform state unlock --engine pulumi frees the stack");
    expect(stdout).toMatch(/^Failed: 2 not reached/m);
    expect(stdout).not.toMatch(/Command failed|carries on/);
    // The run is under way.
    expect(await outputOf(1, desk.run(["state", "unlock"], { env: { PATH } }))).toContain(
      `or end it: kill ${process.pid}.`,
    );
    await lock.release();
    expect((await run()).code).toBe(0);
    // A killed Pulumi run leaves this lock: its process on this machine no longer exists.
    const folder = desk.path(".pulumi/locks/organization/test/dev");
    const gone = { pid: 2 ** 22 + 1, username: "ann", hostname: hostname(), timestamp: "2026-11-21T10:00:00Z" };
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "11111111-aaaa-bbbb-cccc-222222222222.json"), JSON.stringify(gone));
    declare("one", "two", "three");
    expect(await outputOf(0, run())).toContain("the lock of a run that is gone was removed (ann@");
  },
);
