/** A release that goes on after a failed run: pages that an earlier run wrote go public with it, and every report names them. */
import { expect, test } from "vitest";
import type { JsonReport } from "../../stack/report/json.ts";
import { onBothEngines } from "../suite/parts.ts";
import { NearDesk } from "../cli/near-desk.ts";
import { forEachTest } from "../suite/opened.ts";

const desk = forEachTest(() => NearDesk.open());

const declare = (titleA: string, ofB: string) =>
  desk.write(
    "landform.yaml",
    `landform: 1
name: along
sites: { s.example: {} }
pages:
  a: { template: tpl-hero, variables: { brand: M }, content: { hero.title: ${titleA} }, publish: { site: s.example, slug: a } }
  b: { template: tpl-hero, ${ofB} publish: { site: s.example, slug: b } }
releases: { r: { pages: [a, b] } }
`,
  );

const addresses = ({ impact }: JsonReport): string[] =>
  (impact?.urls ?? []).map(({ effect, page }) => `${effect} ${page}`);
const paths = (urls: readonly string[] = []): string[] =>
  urls.map((url) => new URL(url).pathname.split("/").at(-1) ?? "");

onBothEngines((engine, path) => {
  async function reported(code: number, ...args: string[]): Promise<JsonReport> {
    const ended = await desk.run([...args, "--json", "--engine", engine], { env: { PATH: path("/usr/bin:/bin") } });
    expect(ended.code, ended.stdout + ended.stderr).toBe(code);
    return JSON.parse(ended.stdout) as JsonReport;
  }

  test("a page that waits for another one is named by the plan and by the run that publishes it", async () => {
    declare("One", "");
    await reported(1, "up", "--yes");
    declare("One", "variables: { brand: M },");
    expect(addresses(await reported(0, "preview"))).toEqual(["create b", "create a"]);
    const up = await reported(0, "up", "--yes");
    expect(paths(up.published).sort()).toEqual(["a", "b"]);
    expect(desk.emulator.records().pages).toMatchObject([{ status: "published" }, { status: "published" }]);
    await reported(0, "preview", "--detailed-exitcode");
  });
});
