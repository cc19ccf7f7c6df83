/**
 * Mutation testing: changes the code in which a fault would cost most, place by place, and names the changes that no test
 * notices. `npm run test:mutants` does all areas, `npm run test:mutants -- retry` one. Stryker is no dependency: it would bring
 * 167 packages for something that is run by hand, so it is installed, in this version, into a copy of the repository.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const VERSION = "10.1.1";
const repository = join(import.meta.dirname, "..");

interface Area {
  readonly code: readonly string[];
  /** The tests that concern it and start no process: a mutant is in this process alone. */
  readonly tests: readonly string[];
}

const API = ["retry", "throttle", "paging", "errors", "repeat", "transport", "secrecy"].map(
  (name) => `test/api/${name}.test.ts`,
);

const AREAS: Readonly<Record<string, Area>> = {
  retry: {
    code: ["retry", "throttle", "failure", "list-bounds", "paging"].map((name) => `provider/api/${name}.ts`),
    tests: API,
  },
  redaction: { code: ["cli/report/redact.ts"], tests: ["test/cli/render.test.ts", "test/cli/redact.test.ts"] },
  safety: { code: ["cli/run/safety.ts"], tests: ["test/cli/render.test.ts", "test/cli/safety.test.ts"] },
  "target-url": { code: ["provider/resources/target-url.ts"], tests: ["test/provider/target-url.test.ts"] },
  "exactly-once": {
    code: ["removal", "leftovers", "marked-objects", "identity", "creation"].map(
      (name) => `provider/lifecycle/${name}.ts`,
    ),
    tests: ["test/faults/deletions.test.ts", "test/faults/kill.test.ts"],
  },
  diff: {
    code: ["provider/lifecycle/diff.ts"],
    tests: ["test/faults/kill.test.ts", "test/provider/properties.test.ts"],
  },
};

const asked = process.argv.slice(2);
const areas = Object.entries(AREAS).filter(([name]) => asked.length === 0 || asked.includes(name));
if (areas.length === 0)
  throw new Error(`There is no area ${asked.join(", ")}; there are ${Object.keys(AREAS).join(", ")}.`);

const folder = mkdtempSync(join(tmpdir(), "landform-mutants-"));
const run = (command: string, ...args: readonly string[]): void => {
  execFileSync(command, args, { cwd: folder, stdio: "inherit" });
};

try {
  copySources();
  run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund");
  const packages = ["core", "vitest-runner"].map((name) => `@stryker-mutator/${name}@${VERSION}`);
  run("npm", "install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", ...packages);
  for (const [name, area] of areas) {
    console.log(`\n# ${name}`);
    configure(area);
    run("npx", "stryker", "run");
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function copySources(): void {
  const files = execFileSync("git", ["ls-files", "-z"], { cwd: repository, encoding: "utf8" }).split("\0");
  for (const file of files.filter((name) => name !== "")) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(repository, file), join(folder, file));
  }
}

function configure({ code, tests }: Area): void {
  const vitest = { test: { include: tests, testTimeout: 60_000, maxWorkers: 1, pool: "forks" } };
  writeFileSync(join(folder, "vitest.mutants.config.ts"), `export default ${JSON.stringify(vitest)};\n`);
  const stryker = {
    testRunner: "vitest",
    plugins: ["@stryker-mutator/vitest-runner"],
    vitest: { configFile: "vitest.mutants.config.ts" },
    coverageAnalysis: "perTest",
    concurrency: 1,
    mutate: code,
    reporters: ["clear-text"],
    timeoutMS: 20_000,
  };
  writeFileSync(join(folder, "stryker.config.json"), JSON.stringify(stryker));
}
