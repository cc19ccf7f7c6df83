// @module-tag thorough
/** Several machines on one stack, which Pulumi keeps in PostgreSQL or in a bucket: real servers, and processes of two homes. */
import { cpSync, mkdirSync } from "node:fs";
import { once } from "node:events";
import { delimiter, dirname } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { encryptionSalt } from "../pulumi/secrets.ts";
import { realEngine as pulumi, rounds } from "../suite/parts.ts";
import { killTree } from "../suite/processes.ts";
import { postgresFolder, s3Server, startPostgres, startS3 } from "../suite/servers.ts";
import { namesIn } from "../suite/app.ts";
import { Desk, type Ended, outputOf } from "./harness.ts";
import { forAllTests } from "../suite/opened.ts";

const LONG = "A brief about the brand, its customers and what it offers them, word by word. ".repeat(3);
const PROGRAM = `
const { id: projectId } = new landform.Project("spring", { description: "${LONG}", context: "${LONG}" });
const { id: siteId } = new landform.Site("spring.example", { projectId });
new landform.Product("mug", { price: 12.5, projectId });
const offer = new landform.Page("offer", { projectId, templateId: "tpl-hero", content: { "hero.title": "Hello" }, variables: { brand: "Acme" }, publish: { siteId, slug: "offer" } });
new landform.Hook("leads", { eventType: "form_lead.created", targetUrl: "https://canary.example.com/hooks" });
export const offerUrl = offer.url;
`;
const WANTED = ["pages offer", "products mug", "projects spring", "sites spring.example"];

const soak = { quick: 0, all: 0, soak: 1 };
const all = { quick: 0, all: 1, soak: 1 };

/** test/faults/killed-commands kills larger runs with the rest. */
const kills = rounds({ quick: 0, all: 0, soak: 15 });

/** Each test takes many commands: one backend shows what both have in common, unless everything is asked for. */
const BACKENDS = [
  {
    name: "PostgreSQL",
    there: postgresFolder !== undefined,
    start: startPostgres,
    parts: { atOnce: rounds(soak) === 1, commands: rounds(soak) === 1, history: rounds(soak) === 1 },
  },
  {
    name: "a bucket",
    there: s3Server !== undefined,
    start: startS3,
    // test/history/places tests the history of a bucket.
    parts: { atOnce: rounds(all) === 1, commands: rounds(soak) === 1, history: false },
  },
];

describe.each(BACKENDS)("the state in $name", { timeout: 600_000 }, ({ there, start, parts }) => {
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

    test.skipIf(!parts.atOnce)(
      "two that run up at once: nothing is made twice, and who has to wait is told for whom",
      async () => {
        const both = await Promise.all([one(["up", "--yes"]), two(["up", "--yes"])]);
        // Pulumi may refuse both, if they come at exactly the same time.
        for (const { code, stdout } of both.filter(({ code }) => code !== 0)) {
          expect([code, stdout]).toEqual([1, expect.stringMatching(BUSY)]);
          expect(stdout).not.toMatch(/postgres:\/\/|s3:\/\//);
        }
        await succeeded(two(["up", "--yes"]));
        expect(await namesIn(desk)).toEqual(WANTED);
        await succeeded(one(["preview", "--detailed-exitcode"]));
      },
    );

    (kills === 0 ? test.skip : test).for(Array.from({ length: Math.max(1, kills) }, (_, index) => index))(
      "killed on one machine, carried on with on the other (%i)",
      async (round, { skip }) => {
        const calls = KILLS[round % KILLS.length] ?? 1;
        const child = desk.start(["up", "--yes", "-C", desk.path("one")], { env: env("one") });
        let told = "";
        for (const stream of [child.stdout, child.stderr]) stream?.on("data", (data) => (told += String(data)));
        const ended = once(child, "exit");
        const written = () => desk.emulator.requests.filter(({ method }) => method !== "GET").length;
        while (child.exitCode === null && written() < calls) await new Promise((resolve) => setImmediate(resolve));
        if (child.exitCode !== null) expect(child.exitCode, told).toBe(0);
        skip(child.exitCode !== null, "the run was over before");
        killTree(child.pid ?? 0);
        await ended;

        const locked = await two(["up", "--yes"]);
        if (locked.code !== 0) {
          expect(locked.stdout).toMatch(LOCKED);
          expect((await two(["state", "unlock", "--yes"])).stderr).toMatch(
            /^Removed the lock of \S+@\S+, process \d+, since /m,
          );
        }
        await succeeded(two(["up", "--yes"]));
        expect(await namesIn(desk)).toEqual(WANTED);
        await succeeded(two(["preview", "--detailed-exitcode"]));
        expect((await succeeded(one(["state", "export"]))).stdout).toContain("::offer");
      },
    );

    test.skipIf(!parts.history)("what one machine did is listed on another, and undone there", async () => {
      const visitors = async (): Promise<string> =>
        (await fetch(`${desk.emulator.url}/_sites/spring-example/offer`)).text();
      await succeeded(one(["up", "--yes"]));
      expect(await outputOf(0, two(["history"]))).toContain("no run");

      for (const machine of ["one", "two"]) {
        const salt = desk.read(`${machine}/Pulumi.dev.yaml`);
        desk.write(`${machine}/Pulumi.dev.yaml`, `${salt}config:\n  landform:history: ../shared\n`);
      }
      edit(desk, "Hello", "Welcome");
      await succeeded(one(["up", "--yes"]));
      expect(await visitors()).toContain("Welcome");
      const [run] = JSON.parse((await succeeded(two(["history", "--json"]))).stdout) as {
        id: string;
        command: string;
      }[];
      expect(run?.command).toBe("up");
      expect((await succeeded(two(["history", run?.id ?? ""]))).stdout).toMatch(/"Hello" → "Welcome"/);
      expect((await succeeded(two(["undo", "--yes"]))).stdout).toContain(`Undo of run ${run?.id ?? ""}`);
      expect(await visitors()).toContain("Hello");
      const both = JSON.parse((await succeeded(one(["history", "--json"]))).stdout) as { command: string }[];
      expect(both.map(({ command }) => command)).toEqual(["undo", "up"]);
      edit(desk, "Welcome", "Hello");
      await succeeded(one(["preview", "--detailed-exitcode"]));
      // Only the passphrase's key opens the history.
      const sealed = await two(["undo", "--yes"], { PULUMI_CONFIG_PASSPHRASE: "another" });
      expect(sealed.code).not.toBe(0);
    });

    test.skipIf(!parts.commands)("every command finds the state there", async () => {
      const up = await succeeded(one(["up", "--yes", "--json"]));
      expect(up.stdout).not.toContain("canary");
      expect((await succeeded(two(["output", "offerUrl"]))).stdout).toMatch(/^http:.*\/offer\n$/);
      expect((await succeeded(two(["stack", "ls"]))).stdout).toMatch(/^ {2}dev {2}\d+ resources, written /m);
      expect((await two(["drift", "-s", "typo"])).stderr).toMatch(/no stack "typo" in .*It has dev\./);

      // A plan reviewed on one machine is applied on another, or refused if it no longer holds.
      edit(desk, "Hello", "Welcome");
      await succeeded(one(["preview", "--save", desk.path("plan.json")]));
      await succeeded(two(["up", "--plan", desk.path("plan.json")]));
      expect(await outputOf(3, one(["up", "--plan", desk.path("plan.json")]))).toContain("applied since");

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
/** After the POST of a page, before the marker goes, before the publication, before the state knows. */
const KILLS = [8, 11, 3, 5, 6, 7, 9, 10, 12, 13, 2, 4, 1];

function edit(desk: Desk, from: string, to: string): void {
  for (const machine of ["one", "two"]) desk.edit(`${machine}/index.ts`, from, to);
}
