/** A creation with a lost answer, and no folder for the state: another machine finds the object and takes it. */
import { mkdirSync } from "node:fs";
import { delimiter, dirname } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { encryptionSalt } from "../pulumi/secrets.ts";
import { realEngine as pulumi, rounds } from "../suite/parts.ts";
import { postgresFolder, s3Server, startPostgres, startS3, type Server } from "../suite/servers.ts";
import { Desk, type Ended } from "./harness.ts";

const full = rounds({ quick: 0, all: 0, soak: 1 }) === 1;
const all = rounds({ quick: 0, all: 1, soak: 1 }) === 1;

/** One backend shows what both have in common, unless everything is asked for. */
const BACKENDS = [
  { name: "PostgreSQL", there: postgresFolder !== undefined && full, start: startPostgres },
  { name: "a bucket", there: s3Server !== undefined && all, start: startS3 },
];

const PRODUCT = "landform: 1\nname: lost\nproducts: { mug: { name: Mug } }\n";
const WITHOUT = "landform: 1\nname: lost\nproducts: { other: { price: 2 } }\n";

describe.each(BACKENDS)("the state in $name", { timeout: 300_000 }, ({ there, start }) => {
  describe.skipIf(pulumi === undefined || !there)("with Pulumi's engine", () => {
    let server: Server;
    let desk: Desk;
    let tests = 0;

    const on =
      (machine: string) =>
      (...args: string[]): Promise<Ended> =>
        desk.run([...args, "-C", desk.path(machine)], {
          env: {
            PATH: [dirname(pulumi ?? ""), desk.env["PATH"]].join(delimiter),
            HOME: desk.path(machine),
            PULUMI_BACKEND_URL: server.another(`lost_${tests}`),
            LANDFORM_PATIENCE_MS: "300",
            ...server.env,
          },
        });
    const [one, two] = [on("one"), on("two")];
    const products = (): unknown[] =>
      (desk.emulator.records()["products"] ?? []).map((row) => (row as { name?: unknown }).name);

    beforeAll(async () => (server = await start()));
    afterAll(() => server.close());
    beforeEach(async () => {
      desk = await Desk.open(undefined, { seed: "empty" });
      tests++;
      for (const machine of ["one", "two"]) {
        mkdirSync(desk.path(machine));
        desk.write(`${machine}/landform.yaml`, PRODUCT);
        desk.write(`${machine}/Pulumi.dev.yaml`, `encryptionsalt: ${encryptionSalt("correct horse")}\n`);
      }
      const { faults } = desk.emulator;
      faults.add({ method: "POST", path: "/products", phase: "after" });
      for (const path of ["/products", "/search/products"])
        faults.add({ method: "GET", path, phase: "altered", list: "empty", times: Infinity });
      const { code, stdout, stderr } = await one("up", "--yes");
      expect([code, stdout + stderr]).toEqual([1, expect.stringContaining("It is not known whether")]);
      faults.clear();
      expect(products()).toEqual([expect.stringMatching(/^Mug \[lf-/)]);
      return () => desk.close();
    });

    test("a destroy removes it, says so before, and has nothing left to look for", async () => {
      const { code, stdout, stderr } = await two("destroy", "--yes");
      expect([code, products()], stdout + stderr).toEqual([0, []]);
      expect(stdout + stderr).toMatch(/product \S+ \("Mug \[lf-.*\]"\), which a failed run made, is in no state/);
      const again = await two("destroy", "--yes");
      expect(again.stdout + again.stderr).not.toContain("Mug");
    });

    test.skipIf(!full)("an up that no longer declares it removes it", async () => {
      desk.write("two/landform.yaml", WITHOUT);
      const { code, stdout, stderr } = await two("up", "--yes");
      expect([code, products()], stdout + stderr).toEqual([0, ["other"]]);
      expect(stdout + stderr).toMatch(/Removed product .*, which an interrupted run had left behind/);
    });

    test.skipIf(!full)("the same up carries on with it, and a destroy looks for nothing more", async () => {
      const { code, stdout, stderr } = await two("up", "--yes");
      expect([code, products()], stdout + stderr).toEqual([0, ["Mug"]]);
      const ended = await one("destroy", "--yes");
      expect([ended.code, products()], ended.stdout + ended.stderr).toEqual([0, []]);
      expect(ended.stdout + ended.stderr).not.toContain("lf-");
    });
  });
});
