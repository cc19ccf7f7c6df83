// @module-tag thorough
/**
 * A site whose creation got no answer, on a service that shows names in its own spelling. Nothing proves that it is the one, and no call deletes a
 * second one, so each later `up` asks, whatever ran in between.
 */
import { expect, test } from "vitest";
import { Killed } from "../faults/whole/killed.ts";
import { forEachTest } from "../suite/opened.ts";

const code = (site: string): string =>
  `landform: 1\nname: respelt\nsites: { m: { ${site} } }\nproducts: { mug: { price: 2 } }\n`;
const ASKED = code("name: Spring Mugs");

const killed = forEachTest(() => Killed.open(ASKED));
const sites = () => killed.rows("sites");

/** The service shows the name in its own spelling from now on. */
function respell(): void {
  const account = structuredClone(killed.machine.emulator.records());
  for (const site of account["sites"] ?? []) Object.assign(site, { name: "spring-mugs", siteName: "spring-mugs" });
  killed.machine.emulator.restore(account);
}

async function loseAnswer(): Promise<void> {
  const { faults } = killed.machine.emulator;
  faults.add({ method: "POST", path: "/sites", phase: "after" });
  for (const path of ["/sites", "/search/sites"])
    faults.add({ method: "GET", path, phase: "altered", list: "empty", times: Infinity });
  expect(await killed.says(1, "up", "--yes")).toContain(
    'Landform does not know if the service created site "Spring Mugs"',
  );
  faults.clear();
}

test.each([
  ["a lost answer", loseAnswer],
  ["a kill", () => killed.killAt("POST", /^\/sites$/)],
])("after %s", { timeout: 400_000 }, async (_, interrupt) => {
  await interrupt();
  respell();
  const asks = async (): Promise<void> => {
    expect(await killed.says(1, "up", "--yes")).toContain("the service may show its name in another spelling");
  };
  await killed.run("refresh", "--yes");
  await asks();
  await killed.says(1, "up", "--yes", "--refresh");
  await killed.declare("landform: 1\nname: respelt\nproducts: { mug: { price: 3 } }\n").up();
  await killed.run("undo", "--yes");
  killed.declare(ASKED);
  await asks();
  await killed.run("destroy", "--yes");
  await asks();
  expect(sites()).toHaveLength(1);
  await killed.declare(code(`name: spring-mugs, adoptId: ${String(sites()[0]?.["id"])}`)).applies();
  expect(sites()).toHaveLength(1);
});
