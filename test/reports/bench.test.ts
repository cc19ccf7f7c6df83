/** The benchmark's report: goals that are met or not, and plots that people can read. */
import { expect, test } from "vitest";
import { SaxesParser } from "saxes";
import type { Took } from "../../bench/command.ts";
import { goalLines, goalsOf } from "../../bench/goals.ts";
import type { Peers } from "../../bench/peers.ts";
import { plotsOf } from "../../bench/report-peers.ts";
import { resultsMarkdown } from "../../bench/report.ts";
import type { Part } from "../../bench/results.ts";

const took = (seconds: number): Took => {
  return { seconds, cpuSeconds: seconds, megabytes: 100, printedBytes: 0, callSeconds: 0, calls: { "GET /me": 2 } };
};

const part = <Measured>(measured: Measured): Part<Measured> => {
  return { command: "npm run bench", machine: "2 cores", at: "2026-11-24", measured };
};

const cell = (pages: number, latency = 0): Part<Peers> => {
  const one = { title: "A & B", took: { "up from empty": took(pages / 10), destroy: took(3) }, stateBytes: 1024 };
  const other = { title: "C", took: { "up from empty": took(2) }, stateBytes: 0, failed: "destroy" };
  return part({ pages, latency, rounds: 1, inputBytes: 512, peers: [one, other], leftOut: ["OpenTofu"] });
};

test("a goal is met, or not, or was not measured", () => {
  const start = part({ "node -e 0": took(0.02), "landform --version": took(0.04), "landform --help": took(0.05) });
  const lines = goalLines(goalsOf({ start }));
  expect(lines).toContain("| `landform --version`, to `node -e 0` | 2 | 2.00 | 2.00 | yes |");
  expect(lines).toContain("| `landform --help`, to `node -e 0` | 2 | 2.50 | 2.50 | no |");
  expect(lines).toContain("| `landform check`, CPU | 0.2 s | - |  | not measured |");
});

test("a tool that was given up or is not there is named, and what it did is told", () => {
  const text = resultsMarkdown({ peers: [cell(50)] });
  expect(text).toContain("Left out: OpenTofu.");
  expect(text).toContain("Given up: C, at destroy.");
  expect(text).toContain("| destroy | 3.00 s, 3.00 s, 100 MB, 2 | - |");
  expect(text).toContain("| state, to the account as JSON | 1 kB, 2.0 | - |");
  expect(text).not.toContain("plots/");
});

test("each step of a latency with several sizes has a plot, which the report shows", () => {
  const peers = [cell(50), cell(1_000), cell(50, 25)];
  const plots = plotsOf(peers.map(({ measured }) => measured));
  const up = plots.find(({ name }) => name === "up-from-empty-0-ms.svg")?.svg ?? "";
  expect(up.match(/<polyline/g)).toHaveLength(2);
  expect(up).toContain(">A &amp; B</text>");
  for (const { name, svg } of plots) {
    expect(() => new SaxesParser().write(svg).close(), name).not.toThrow();
    expect(svg, name).not.toContain("NaN");
    expect(resultsMarkdown({ peers })).toContain(`(plots/${name})`);
  }
});
