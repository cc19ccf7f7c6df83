/** `up --verify` and `drift --public`: what visitors get, told in every form of the report. */
import { expect } from "vitest";
import { test } from "vitest";
import { onBothEngines } from "../suite/parts.ts";
import { Desk } from "./harness.ts";

const manifest = (title: string): string => `landform: 1
name: seen
sites: { main: { name: seen.example } }
pages:
  offer:
    name: Offer
    template: tpl-hero
    content: { hero.title: ${title} }
    variables: { brand: Acme }
    publish: { site: main, slug: offer }
`;

onBothEngines((engine, path) => {
  test("seen, not seen, strict, and looked at later", async () => {
    const desk = await Desk.open();
    try {
      const env = { PATH: path("/nowhere"), LANDFORM_VERIFY_WAIT_MS: "500" };
      const run = (...args: string[]) => desk.run([...args, "--engine", engine], { env });
      desk.write("landform.yaml", manifest("First title"));
      const first = await run("up", "--yes", "--verify", "--json", "up.json", "--markdown", "up.md");
      expect(first.code).toBe(0);
      expect(first.stdout).toMatch(/Seen live\n +✓ Page offer: seen after \d+\.\d s {2}http:\/\/\S+\/offer/);
      expect(first.stdout + first.stderr).not.toContain("warning");
      expect(desk.read("up.md")).toMatch(/✅ Page offer: seen after/);
      expect(JSON.parse(desk.read("up.json"))).toMatchObject({
        warnings: [],
        seen: [{ type: "Page", name: "offer", outcome: "seen", by: "html", keys: [] }],
      });

      desk.emulator.notShown.publicLagMs = 600_000;
      desk.write("landform.yaml", manifest("Second title"));
      const cached = await run("up", "--yes", "--verify=strict", "--json", "up.json");
      expect(cached.code).toBe(1);
      expect(cached.stdout).toMatch(/warning: publish: .*published, still serves the old text of hero\.title after/);
      expect(JSON.parse(desk.read("up.json"))).toMatchObject({
        result: "succeeded",
        seen: [{ outcome: "old", keys: ["hero.title"] }],
      });
      desk.writes();
      expect((await run("up", "--yes", "--verify=strict")).code).toBe(0);
      expect(desk.writes()).toEqual([]);

      const drift = await run("drift", "--public", "--detailed-exitcode", "--json", "drift.json");
      expect(drift.code).toBe(2);
      expect(drift.stdout).toMatch(/no drift/);
      expect(drift.stdout).toMatch(/Public pages that don't show what was published\n +! Page offer: .*hero\.title/);
      expect(JSON.parse(desk.read("drift.json"))).toMatchObject({
        drift: [],
        public: [{ name: "offer", keys: ["hero.title"] }],
      });
      desk.emulator.notShown.publicLagMs = 0;
      expect((await run("drift", "--public", "--detailed-exitcode")).code).toBe(0);
    } finally {
      await desk.close();
    }
  });
});
