// @module-tag thorough
/** Previews with states in a bucket or in PostgreSQL: one machine makes them, another lists and deletes them. */
import { cpSync, mkdirSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Collected } from "../../stack/env/gc.ts";
import type { ListedEnvironment } from "../../stack/env/list.ts";
import type { Ended } from "../cli/harness.ts";
import { encryptionSalt } from "../pulumi/secrets.ts";
import { visit } from "../examples/visit.ts";
import { realEngine as pulumi, rounds } from "../suite/parts.ts";
import { postgresFolder, s3Server, startPostgres, startS3 } from "../suite/servers.ts";
import { accountWith, BASE } from "./desk.ts";

const QUICKSTART = join(import.meta.dirname, "../../examples/quickstart-yaml");

/** One backend shows what both have in common, unless everything is asked for. */
const BACKENDS = [
  { name: "a bucket", start: startS3, runs: s3Server !== undefined && rounds({ quick: 0, all: 0, soak: 1 }) === 1 },
  {
    name: "PostgreSQL",
    start: startPostgres,
    runs: postgresFolder !== undefined && rounds({ quick: 0, all: 0, soak: 1 }) === 1,
  },
];

describe.each(BACKENDS)("the states in $name", { timeout: 600_000 }, ({ start, runs }) => {
  test.skipIf(pulumi === undefined || !runs)("up on one machine, listed, collected and down on another", async () => {
    const server = await start();
    const account = await accountWith(() => undefined, {}, { apply: false });
    const { desk } = account;
    const backend = server.another("previews");
    const on =
      (machine: string) =>
      async (...args: string[]): Promise<Ended> => {
        const env = {
          PATH: [dirname(pulumi ?? ""), desk.env["PATH"]].join(delimiter),
          HOME: desk.path(machine),
          PULUMI_BACKEND_URL: backend,
          ...server.env,
        };
        const ended = await desk.run([...args, "-C", desk.path(machine)], { env });
        expect(ended.code, ended.stdout + ended.stderr).toBe(0);
        return ended;
      };
    const [one, two] = [on("one"), on("two")];
    try {
      for (const machine of ["one", "two"]) {
        mkdirSync(desk.path(machine));
        cpSync(QUICKSTART, desk.path(machine), { recursive: true });
        desk.write(`${machine}/Pulumi.${BASE}.yaml`, `encryptionsalt: ${encryptionSalt("correct horse")}\n`);
      }
      await one("up", "--yes", "--stack", BASE);
      const before = account.holds();
      await one("env", "up", "--pr", "1", "--yes");
      await one("env", "up", "--pr", "2", "--ttl", "0.0000001", "--yes");
      const listed = JSON.parse((await two("env", "list", "--json")).stdout) as ListedEnvironment[];
      expect(listed.map(({ name, condition, record }) => [name, condition, record?.base])).toEqual([
        ["pr-1", "live", BASE],
        ["pr-2", "expired", BASE],
      ]);
      expect(listed[0]?.pages[0]?.url).toMatch(/\/pr-1-[a-z0-9]{10}\//);
      // A machine that never saw the previews updates one, and keeps its addresses.
      await two("env", "up", "--pr", "1", "--yes");
      expect((await visit(listed[0]?.pages[0]?.url ?? "")).status).toBe(200);
      await two("env", "down", "--pr", "1", "--yes");
      const { reclaimed } = JSON.parse((await two("env", "gc", "--yes", "--json")).stdout) as Collected;
      expect(reclaimed.map(({ name, reason }) => [name, reason])).toEqual([["pr-2", "expired"]]);
      expect(account.holds()).toBe(before);
      expect((await one("stack", "ls")).stdout).not.toContain("pr-");
    } finally {
      await desk.close();
      await server.close();
    }
  });
});
