/**
 * Compares Pulumi's own engine in two modes: it writes the whole state at each step (its default), or once at the end, as the command line has it by
 * itself.
 */
import { rmSync } from "node:fs";
import { delimiter, dirname } from "node:path";
import { startEmulator } from "../emulator/index.ts";
import { findPulumi } from "../scripts/get-pulumi.ts";
import { findS3Server } from "../scripts/get-s3.ts";
import { findPostgres, startPostgres, startS3, type Server } from "../test/suite/servers.ts";
import { landform, median, type Took } from "./command.ts";
import { makeProject } from "./project.ts";

export const MODES = ["at each step", "once at the end"] as const;
type Mode = (typeof MODES)[number];

export interface Checkpoints {
  readonly pages: number;
  readonly rounds: number;
  /** Medians by time, for each place of the state. */
  readonly took: Readonly<Record<string, Readonly<Record<Mode, { readonly up: Took; readonly destroy: Took }>>>>;
  readonly leftOut: readonly string[];
}

interface Backend {
  readonly title: string;
  readonly start: (() => Promise<Server>) | undefined;
}

export async function measureCheckpoints(pages: number, rounds: number): Promise<Checkpoints> {
  const pulumi = findPulumi();
  if (pulumi === undefined) throw new Error("there is no Pulumi here: npm run get-pulumi");
  const backends: readonly Backend[] = [
    { title: "a folder", start: () => Promise.resolve(FOLDER) },
    { title: "a bucket (S3)", start: findS3Server() === undefined ? undefined : startS3 },
    { title: "PostgreSQL", start: findPostgres() === undefined ? undefined : startPostgres },
  ];
  const took: Record<string, Record<Mode, { up: Took; destroy: Took }>> = {};
  const leftOut: string[] = [];
  for (const { title, start } of backends) {
    try {
      if (start === undefined) throw new Error("there is no such server here");
      took[title] = await onBackend({ title, start }, pulumi, pages, rounds);
    } catch (error) {
      leftOut.push(title);
      console.error(`${title} is left out:`, error instanceof Error ? error.message : error);
    }
  }
  return { pages, rounds, took, leftOut };
}

/** A folder of its own for each project, beside the project. */
const FOLDER: Server = { url: "", another: () => "", env: {}, close: () => Promise.resolve() };

async function onBackend(
  { title, start }: Required<Backend> & { start: () => Promise<Server> },
  pulumi: string,
  pages: number,
  rounds: number,
): Promise<Record<Mode, { up: Took; destroy: Took }>> {
  const server = await start();
  try {
    const runs = MODES.map(() => ({ up: [] as Took[], destroy: [] as Took[] }));
    for (let round = 0; round < rounds; round++) {
      for (const [index, mode] of MODES.entries()) {
        const skip = mode === "at each step" ? { PULUMI_SKIP_CHECKPOINTS: "false" } : {};
        const url = server.another(`bench_${round}_${index}`);
        const { up, destroy } = await live(pulumi, pages, url, { ...server.env, ...skip });
        runs[index]?.up.push(up);
        runs[index]?.destroy.push(destroy);
        console.log(title, mode, up.seconds.toFixed(2), destroy.seconds.toFixed(2));
      }
    }
    const medians = runs.map(({ up, destroy }, index) => {
      return [MODES[index], { up: median(up, "seconds"), destroy: median(destroy, "seconds") }] as const;
    });
    return Object.fromEntries(medians) as Record<Mode, { up: Took; destroy: Took }>;
  } finally {
    await server.close();
  }
}

async function live(
  pulumi: string,
  pages: number,
  url: string,
  more: NodeJS.ProcessEnv,
): Promise<{ up: Took; destroy: Took }> {
  const emulator = await startEmulator();
  const folder = makeProject("program", { pages });
  const { PULUMI_SKIP_CHECKPOINTS: _, ...inherited } = process.env;
  const env = {
    ...inherited,
    PATH: [dirname(pulumi), process.env["PATH"] ?? ""].join(delimiter),
    PULUMI_CONFIG_PASSPHRASE: "",
    PULUMI_HOME: `${folder}/home`,
    PULUMI_BACKEND_URL: url === "" ? `file://${folder}` : url,
    ...more,
  };
  try {
    const place = { folder, emulator, env };
    const up = await landform(place, "up", "--yes", "-s", "dev", "--engine", "pulumi");
    const destroy = await landform(place, "destroy", "--yes", "--force", "-s", "dev", "--engine", "pulumi");
    return { up, destroy };
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await emulator.close();
  }
}
