// @module-tag thorough
/**
 * Other people's edits in a draft, of any sort and at any moment, compared with the public pages: on both engines, with both readings of the content
 * map, on services whose publications move updated_at and on others.
 */
import { expect } from "vitest";
import { asked, onBothEngines, rounds, sampledTable } from "../suite/parts.ts";
import { cells, type Cell } from "./cells.ts";
import { type Played, Stowaways } from "./desk.ts";

/** One cell of so many runs. */
const SHARE = rounds({ quick: 30, all: 6, soak: 1 });
const services = (["draft", "live"] as const).flatMap((contentMapShows) =>
  [0, 20].map((publishMovesUpdatedAtMs) => ({ contentMapShows, publishMovesUpdatedAtMs })),
);
type Service = (typeof services)[number];

const titleOf = ({ contentMapShows, publishMovesUpdatedAtMs }: Service): string =>
  `the content map shows ${contentMapShows}, a publication moves updated_at by ${publishMovesUpdatedAtMs} ms`;

/** Plays one sort of edit after another, each with its own account. Returns the faults, a line per cell. */
async function playAll(engine: "embedded" | "pulumi", service: Service, chosen: readonly Cell[]): Promise<string[]> {
  const found: string[] = [];
  for (const some of Map.groupBy(chosen, ({ edit }) => (asked === "soak" ? edit : undefined)).values())
    found.push(...linesOf(await Stowaways.play(some, engine, service)));
  return found;
}

function linesOf({ cells: played, wrong }: Played): string[] {
  const lines = played.flatMap(({ wrong: faults, ...cell }) =>
    faults.map((fault) => `${Object.values(cell).join(", ")}: ${fault}`),
  );
  return [...lines, ...wrong];
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
      expect(await playAll(engine, service, chosen)).toEqual([]);
    },
    rounds({ quick: 600_000, all: 600_000, soak: 3_600_000 }),
  );
});
