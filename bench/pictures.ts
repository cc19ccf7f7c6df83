/** Measures the pictures of a preview in which every page has changed: the whole command, with the browser that takes them. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { startEmulator } from "../emulator/index.ts";
import type { JsonReport } from "../stack/report/json.ts";
import { manifestOf } from "./account.ts";
import { landform, type Place, type Took } from "./command.ts";
import { makeProject } from "./project.ts";

export interface PreviewPictures {
  readonly pages: number;
  /** The pairs of pictures that show a difference: two a page. */
  readonly pairs: number;
  readonly with: Took;
  readonly without: Took;
}

const UP = ["env", "up", "--base", "dev", "--yes", "--engine", "embedded"];

export async function measurePictures(pages: number): Promise<PreviewPictures> {
  const size = { pages, products: 0, funnels: 0 };
  const place: Place = {
    folder: makeProject("manifest", size),
    emulator: await startEmulator(),
    env: { ...process.env, PULUMI_CONFIG_PASSPHRASE: "" },
  };
  try {
    await landform(place, "up", "--yes", "-s", "dev", "--engine", "embedded");
    const changed = stringify(manifestOf(size)).replaceAll("says under", "tells you under");
    writeFileSync(join(place.folder, "landform.yaml"), changed);
    const without = await landform(place, ...UP, "--pr", "1");
    const took = await landform(place, ...UP, "--pr", "2", "--html", "report.html", "--json", "report.json");
    const { pictures } = JSON.parse(readFileSync(join(place.folder, "report.json"), "utf8")) as JsonReport;
    const pairs = (pictures?.taken ?? []).filter(({ kind }) => kind === "changed").length;
    console.log("pictures", pages, took.seconds.toFixed(1), took.cpuSeconds.toFixed(1));
    return { pages, pairs, with: took, without };
  } finally {
    rmSync(place.folder, { recursive: true, force: true });
    await place.emulator.close();
  }
}
