// @module-tag thorough
/**
 * The place of the state goes away in the middle of a Pulumi run. The run ends in bounded time and gives the reason. When the place is back, the next
 * run finds the objects that were made. On a real S3-compatible server that ends or stops.
 */
import { once } from "node:events";
import { delimiter, dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, describe, expect, test } from "vitest";
import { encryptionSalt } from "../pulumi/secrets.ts";
import { leftToSoak, realEngine as pulumi } from "../suite/parts.ts";
import { s3Server, startS3 } from "../suite/servers.ts";
import { treeOf } from "../suite/processes.ts";
import { namesIn } from "../suite/app.ts";
import { Desk, outputOf } from "./harness.ts";
import { forEachTest } from "../suite/opened.ts";

const LONG = "A brief about the brand, its customers and what it offers them, word by word. ".repeat(3);
const PROGRAM = `
const { id: projectId } = new landform.Project("spring", { description: "${LONG}", context: "${LONG}" });
const { id: siteId } = new landform.Site("spring.example", { projectId });
for (const name of ["a", "b"])
  new landform.Page(name, { projectId, templateId: "tpl-hero", variables: { brand: "Acme" }, publish: { siteId, slug: name } });
new landform.Product("mug", { price: 12.5, projectId });
`;
const WANTED = ["pages a", "pages b", "products mug", "projects spring", "sites spring.example"];

interface Gone {
  readonly how: "refuses" | "is silent";
  /** The resource that exists by then. */
  readonly after: string;
  readonly interrupted: boolean;
  /** Far more than it takes, and far less than Pulumi's own retries of every write. */
  readonly within: number;
}

const ROWS: readonly Gone[] = [
  { how: "refuses", after: "Site", interrupted: false, within: 200_000 },
  { how: "refuses", after: "Project", interrupted: true, within: 120_000 },
  { how: "is silent", after: "Project", interrupted: false, within: 300_000 },
  { how: "is silent", after: "Product", interrupted: true, within: 200_000 },
];

describe.skipIf(pulumi === undefined || s3Server === undefined || leftToSoak("pulumi"))("a bucket", () => {
  const server = forEachTest(() => startS3());
  const desk = forEachTest(() => Desk.open());

  beforeEach(() => {
    desk.program(PROGRAM);
    desk.write("Pulumi.dev.yaml", `encryptionsalt: ${encryptionSalt("correct horse")}\n`);
  });

  test.each(ROWS)(
    "that $how once a $after is created (interrupted: $interrupted)",
    { timeout: 600_000 },
    async ({ how, after, interrupted, within }) => {
      const env = {
        PATH: [dirname(pulumi ?? ""), desk.env["PATH"]].join(delimiter),
        PULUMI_BACKEND_URL: server.another("state"),
        LANDFORM_PATIENCE_MS: "300",
        ...server.env,
      };
      const child = desk.start(["up", "--yes", "--json", "report.json"], { env });
      const exited = once(child, "exit") as Promise<[number | null]>;
      let told = "";
      for (const stream of [child.stdout, child.stderr]) stream?.on("data", (data) => (told += String(data)));
      while (child.exitCode === null && !told.includes(`created ${after}`)) await sleep(2);
      await server.goAway(how);
      await sleep(interrupted ? 1_000 : 0);
      const started = treeOf(child.pid ?? 0);
      if (interrupted) child.kill("SIGINT");
      const ended = await Promise.race([exited, sleep(within, undefined)]);
      expect(ended?.[0], told).toBe(1);
      expect(told).toContain("the place of the state answers no more, and Pulumi was ended: s3://team/state\n");
      expect(told).toContain("npx landform state unlock");
      expect(told).not.toContain(server.env["AWS_SECRET_ACCESS_KEY"]);
      expect(JSON.parse(desk.read("report.json"))).toMatchObject({ result: "failed" });
      await sleep(2_000);
      expect(started.filter(isThere)).toEqual([]);

      await server.comeBack();
      await desk.run(["state", "unlock", "--yes"], { env });
      await outputOf(0, desk.run(["up", "--yes"], { env }));
      expect(await namesIn(desk)).toEqual(WANTED);
      await outputOf(0, desk.run(["preview", "--detailed-exitcode"], { env }));
    },
  );
});

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
