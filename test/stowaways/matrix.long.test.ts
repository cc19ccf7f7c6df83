// @module-tag thorough
/**
 * Other people's edits in a draft, of any sort and at any moment, compared with the public pages: on both engines, with both readings of the content
 * map, on services whose publications move updated_at and on others. The full run takes every cell and writes MATRIX.md from all findings
 * (evidence.ts).
 */
import { expect } from "vitest";
import { isOver } from "../faults/evidence.ts";
import { asked, onBothEngines, rounds, sampledTable } from "../suite/parts.ts";
import { cells, type Cell } from "./cells.ts";
import { Stowaways } from "./desk.ts";
import { evidence, linesOf, writeMatrix } from "./results.ts";

/** One cell of so many runs. */
const SHARE = rounds({ quick: 30, all: 6, soak: 1 });
const services = (["draft", "live"] as const).flatMap((contentMapShows) =>
  [0, 20].map((publishMovesUpdatedAtMs) => ({ contentMapShows, publishMovesUpdatedAtMs })),
);
type Service = (typeof services)[number];

const titleOf = ({ contentMapShows, publishMovesUpdatedAtMs }: Service): string =>
  `the content map shows ${contentMapShows}, a publication moves updated_at by ${publishMovesUpdatedAtMs} ms`;

/** Plays one sort of edit after another, each with its own account. The results of an earlier run stay. */
async function playAll(engine: "embedded" | "pulumi", service: Service): Promise<string[]> {
  for (const [edit, some] of Map.groupBy(cells, (cell: Cell) => cell.edit)) {
    const of = `${engine}, ${titleOf(service)}, ${edit}`;
    if (evidence.has(of) || isOver()) continue;
    const played = await Stowaways.play(some, engine, service);
    evidence.add(of, { engine, service: titleOf(service), ...played });
    writeMatrix();
  }
  const own = evidence.found.filter((one) => one.engine === engine && one.service === titleOf(service));
  return own.flatMap(linesOf);
}

onBothEngines((engine) => {
  const share = engine === "embedded" ? SHARE : rounds({ quick: 90, all: 30, soak: 1 });
  sampledTable(
    services,
    2,
    titleOf,
    async (service) => {
      const first = services.indexOf(service) % share;
      const chosen = cells.filter((_, index) => index % share === first);
      const found =
        asked === "soak" ? await playAll(engine, service) : linesOf(await Stowaways.play(chosen, engine, service));
      expect(found).toEqual([]);
    },
    rounds({ quick: 600_000, all: 600_000, soak: 3_600_000 }),
  );
});
