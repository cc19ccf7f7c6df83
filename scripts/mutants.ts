/**
 * Mutation testing: changes the code in which a fault would cost most, place by place, and names the changes that no test notices. `npm run
 * test:mutants` does all areas, `npm run test:mutants -- retry diff` only those two. It skips code that has not changed since the last run. The
 * figures and the survivors go into test/faults/MUTANTS.md. Stryker is no dependency, because it would bring 167 packages for a tool that a person
 * starts by hand. The script installs it, in this version, into `.cache/mutants`.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { reportOf, type Mutants, type Ran } from "./mutants-report.ts";

const VERSION = "10.1.1";
const repository = join(import.meta.dirname, "..");
const cache = join(repository, ".cache/mutants");
const REPORT = join(repository, "test/faults/MUTANTS.md");

export interface Area {
  readonly code: readonly string[];
  /** Its tests that start no process: a mutant exists only in this process. */
  readonly tests: readonly string[];
}

const api = (...names: readonly string[]): string[] => names.map((name) => `provider/api/${name}.ts`);
const lifecycle = (...names: readonly string[]): string[] => names.map((name) => `provider/reconcile/${name}.ts`);

export const AREAS: Readonly<Record<string, Area>> = {
  retry: {
    code: api("retry", "throttle"),
    tests: ["test/api/retry.test.ts", "test/api/throttle.test.ts"],
  },
  lists: {
    code: api("list-bounds", "paging"),
    tests: ["test/api/paging.test.ts", "test/api/endless-lists.test.ts"],
  },
  redaction: { code: ["stack/report/redact.ts"], tests: ["test/cli/redact.test.ts"] },
  safety: { code: ["stack/checks/safety.ts"], tests: ["test/cli/safety.test.ts"] },
  "target-url": {
    code: ["provider/api/public-hosts.ts", "provider/api/public-hosts.ts"],
    tests: ["test/provider/target-url.test.ts"],
  },
  diff: {
    code: lifecycle("diff"),
    tests: ["diff", "diff-refusals", "diff-maps", "no-difference"].map((name) => `test/provider/${name}.test.ts`),
  },
  deletions: { code: lifecycle("removal"), tests: ["test/provider/confirmed-deletions.test.ts"] },
  creations: {
    code: lifecycle("create", "creation", "identity", "leftovers", "marked-objects", "patience", "creation-notes"),
    tests: ["identity", "creations", "patience"].map((name) => `test/provider/${name}.test.ts`),
  },
};

if (import.meta.main) main(process.argv.slice(2));

function main(asked: readonly string[]): void {
  const unknown = asked.filter((name) => !(name in AREAS));
  if (unknown.length > 0)
    throw new Error(`There is no area ${unknown.join(", ")}; there are ${Object.keys(AREAS).join(", ")}.`);
  install();
  for (const [name, area] of Object.entries(AREAS)) {
    if (asked.length > 0 && !asked.includes(name)) continue;
    console.log(`\n# ${name}`);
    run(name, area);
    writeFileSync(REPORT, reportOf(allAreas(), readFileSync(REPORT, "utf8")));
  }
}

/** The folder is below the repository, so that Stryker finds the repository's own vitest. */
function install(): void {
  mkdirSync(cache, { recursive: true });
  if (existsSync(join(cache, `stryker-${VERSION}`))) return;
  writeFileSync(join(cache, "package.json"), JSON.stringify({ private: true }));
  const packages = ["core", "vitest-runner"].map((name) => `@stryker-mutator/${name}@${VERSION}`);
  const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--legacy-peer-deps"];
  execFileSync("npm", ["install", ...quiet, ...packages], { cwd: cache, stdio: "inherit" });
  writeFileSync(join(cache, `stryker-${VERSION}`), "");
}

function run(name: string, { code, tests }: Area): void {
  const vitest = { test: { include: tests, testTimeout: 120_000, maxWorkers: 1 } };
  const vitestFile = join(".cache/mutants", `vitest.${name}.config.ts`);
  writeFileSync(join(repository, vitestFile), `export default ${JSON.stringify(vitest)};\n`);
  const runner = join(cache, "node_modules/@stryker-mutator/vitest-runner/dist/src/index.js");
  const stryker = {
    testRunner: "vitest",
    plugins: [runner],
    vitest: { configFile: vitestFile, related: false },
    coverageAnalysis: "perTest",
    concurrency: 1,
    mutate: code,
    ignorePatterns: ["dist", "bench", "examples", "docs"],
    reporters: ["json", "progress-append-only"],
    jsonReporter: { fileName: fileOf(name) },
    incremental: true,
    incrementalFile: join(cache, `${name}.incremental.json`),
    tempDirName: ".cache/mutants/tmp",
    timeoutMS: 8_000,
  };
  const config = join(cache, `${name}.config.json`);
  writeFileSync(config, JSON.stringify(stryker));
  const command = join(cache, "node_modules/@stryker-mutator/core/bin/stryker.js");
  execFileSync(process.execPath, [command, "run", config], { cwd: repository, stdio: "inherit" });
}

function fileOf(name: string): string {
  return join(cache, `${name}.json`);
}

/** Returns all areas, with the reports of those that have run here. */
function allAreas(): Map<string, Ran> {
  const areas = Object.entries(AREAS).map(([name, { code }]): [string, Ran] => {
    const report = fileOf(name);
    const mutants = existsSync(report) ? (JSON.parse(readFileSync(report, "utf8")) as Mutants) : undefined;
    return [name, { code, mutants }];
  });
  return new Map(areas);
}
