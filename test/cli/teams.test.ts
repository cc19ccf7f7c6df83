// @module-tag thorough
/** Several machines on one stack, which Pulumi keeps in PostgreSQL or in a bucket: real servers, and processes of two homes. */
import { cpSync, mkdirSync } from "node:fs";
import { delimiter, dirname } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { encryptionSalt } from "../pulumi/secrets.ts";
import { realEngine as pulumi, rounds, whole } from "../suite/parts.ts";
import { postgresFolder, s3Server, startPostgres, startS3 } from "../suite/servers.ts";
import { namesIn } from "../suite/app.ts";
import { Desk, type Ended, outputOf } from "./harness.ts";
import { BRIEF } from "./manifests.ts";
import { forAllTests } from "../suite/opened.ts";

const PROGRAM = `
const { id: projectId } = new landform.Project("spring", { description: "${BRIEF}", context: "${BRIEF}" });
const { id: siteId } = new landform.Site("spring.example", { projectId });
new landform.Product("mug", { price: 12.5, projectId });
const offer = new landform.Page("offer", { projectId, templateId: "tpl-hero", content: { "hero.title": "Hello" }, variables: { brand: "Acme" }, publish: { siteId, slug: "offer" } });
new landform.Hook("leads", { eventType: "form_lead.created", targetUrl: "https://canary.example.com/hooks" });
export const offerUrl = offer.url;
`;
const WANTED = ["pages offer", "products mug", "projects spring", "sites spring.example"];

/** Each test takes many commands: one backend shows what both have in common, unless everything is asked for. */
const asksAll = rounds({ quick: 0, all: 0, soak: 1 }) === 1;
const BACKENDS = [
  { name: "PostgreSQL", there: postgresFolder !== undefined, start: startPostgres, atOnce: asksAll },
  { name: "a bucket", there: s3Server !== undefined, start: startS3, atOnce: whole },
];

describe.each(BACKENDS)("the state in $name", { timeout: 600_000 }, ({ there, start, atOnce }) => {
  describe.skipIf(pulumi === undefined || !there)("with Pulumi's engine", () => {
    const server = forAllTests(() => start());
    let desk: Desk;
    let tests = 0;

    const env = (home: string): Record<string, string | undefined> => ({
      PATH: [dirname(pulumi ?? ""), desk.env["PATH"]].join(delimiter),
      HOME: desk.path(home),
      PULUMI_BACKEND_URL: server.another(`test_${tests}`),
      LANDFORM_PATIENCE_MS: "300",
      ...server.env,
    });
    const on =
      (machine: "one" | "two") =>
      (args: readonly string[], more: Record<string, string | undefined> = {}) =>
        desk.run([...args, "-C", desk.path(machine)], { env: { ...env(machine), ...more } });
    const [one, two] = [on("one"), on("two")];
    const succeeded = async (ended: Promise<Ended>): Promise<Ended> => {
      const all = await ended;
      expect(all.code, all.stdout + all.stderr).toBe(0);
      return all;
    };

    beforeEach(async () => {
      desk = await Desk.open();
      tests++;
      desk.program(PROGRAM);
      desk.write("Pulumi.dev.yaml", `encryptionsalt: ${encryptionSalt("correct horse")}\n`);
      for (const machine of ["one", "two"]) {
        mkdirSync(desk.path(machine));
        for (const file of ["Pulumi.yaml", "Pulumi.dev.yaml", "package.json", "index.ts"])
          cpSync(desk.path(file), desk.path(`${machine}/${file}`));
      }
      return () => desk.close();
    });

    test.skipIf(!atOnce)(
      "two that run up at once: nothing is made twice, and who has to wait is told for whom",
      async () => {
        const both = await Promise.all([one(["up", "--yes"]), two(["up", "--yes"])]);
        // Pulumi may refuse both, if they come at exactly the same time.
        for (const { code, stdout, stderr } of both.filter(({ code }) => code !== 0)) {
          const said = stdout + stderr;
          expect([code, said]).toEqual([1, expect.stringMatching(BUSY)]);
          expect(said).not.toMatch(/postgres:\/\/|s3:\/\//);
        }
        await succeeded(two(["up", "--yes"]));
        expect(await namesIn(desk)).toEqual(WANTED);
        await succeeded(one(["preview", "--detailed-exitcode"]));
      },
    );

    test.skipIf(!asksAll)("every command finds the state there", async () => {
      expect((await succeeded(one(["up", "--yes", "--json"]))).stdout).not.toContain("canary");
      expect((await succeeded(two(["output", "offerUrl"]))).stdout).toMatch(/^http:.*\/offer\n$/);
      expect((await succeeded(two(["stack", "ls"]))).stdout).toMatch(/^ {2}dev {2}\d+ resources, written /m);
      expect((await two(["drift", "-s", "typo"])).stderr).toMatch(/no stack "typo" in .*It has dev\./);

      // A plan reviewed on one machine is applied on another, or refused if it no longer holds.
      edit(desk, "Hello", "Welcome");
      await succeeded(one(["preview", "--save", desk.path("plan.json")]));
      await succeeded(two(["up", "--plan", desk.path("plan.json")]));
      expect(await outputOf(3, one(["up", "--plan", desk.path("plan.json")]))).toContain(
        "all that was reviewed has been applied",
      );

      // Another key means another account.
      edit(desk, "Welcome", "Hello");
      const other = await Desk.open();
      const { LANDFORM_BASE_URL, LANDFORM_API_KEY } = other.env;
      const foreign = await two(["up", "--yes"], { LANDFORM_BASE_URL, LANDFORM_API_KEY });
      await other.close();
      expect(foreign.code).not.toBe(0);
      expect([foreign.stdout + foreign.stderr, other.writes()]).toEqual([
        expect.stringMatching(/key belongs to account/),
        [],
      ]);
      await succeeded(one(["up", "--yes"]));

      const exported = (await succeeded(one(["state", "export", "--show-secrets"]))).stdout;
      expect(exported).toContain("canary");
      desk.write("state.json", exported);
      await succeeded(two(["state", "import", "--file", desk.path("state.json")]));
      expect((await succeeded(one(["state", "export"]))).stdout).not.toContain("canary");
      await succeeded(two(["refresh", "--yes"]));
      await succeeded(one(["drift", "--detailed-exitcode"]));
      await succeeded(two(["destroy", "--yes"]));
      await succeeded(two(["stack", "rm", "dev", "--yes"]));
      expect((await one(["output"])).stderr).toContain("It has none yet");
    });
  });
});

const LOCKED = /^error: the stack is locked by another run, and nothing was sent:\n {2}\S+@\S+, process \d+, since /m;
/** Pulumi's list of a table sometimes misses a row that another process takes away at that moment. */
const BUSY = new RegExp(`${LOCKED.source}|no rows in result set.*run this again`, "m");

function edit(desk: Desk, from: string, to: string): void {
  for (const machine of ["one", "two"]) desk.edit(`${machine}/index.ts`, from, to);
}
