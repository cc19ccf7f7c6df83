/**
 * What somebody left in a draft, whatever it is and whenever it came, held against what visitors get: on both engines, with
 * both readings of the content map, on services whose publications move updated_at and on others.
 */
import { expect } from "vitest";
import { onBothEngines, rounds, sampledTable } from "../suite/parts.ts";
import { cells } from "./cells.ts";
import { Stowaways } from "./desk.ts";

/** One cell of so many. */
const SHARE = rounds({ quick: 30, all: 6, full: 1 });
const services = (["draft", "live"] as const).flatMap((contentMapShows) =>
  [0, 20].map((publishMovesUpdatedAtMs) => ({ contentMapShows, publishMovesUpdatedAtMs })),
);

onBothEngines((engine) => {
  const share = engine === "embedded" ? SHARE : rounds({ quick: 90, all: 30, full: 1 });
  sampledTable(
    services,
    2,
    ({ contentMapShows, publishMovesUpdatedAtMs }) =>
      `the content map shows ${contentMapShows}, a publication moves updated_at by ${publishMovesUpdatedAtMs} ms`,
    async (service) => {
      const first = services.indexOf(service) % share;
      const chosen = cells.filter((_, index) => index % share === first);
      expect(await Stowaways.play(chosen, engine, service)).toEqual([]);
    },
    rounds({ quick: 600_000, all: 600_000, full: 3_600_000 }),
  );
});
