/**
 * A landform.yaml runs without a process on the embedded engine, and through the SDK on Pulumi's own. Both register the same: new and known values,
 * unknowns of a preview, secrets, and dependencies.
 */
import type { RunResult } from "../../stack/report/run-result.ts";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { EmbeddedEngine } from "../../stack/engines/embedded.ts";
import { openStack } from "../../stack/project/open.ts";
import { startEmulator } from "../../emulator/index.ts";
import type { Registration } from "../../engine/plan/types.ts";
import { corpus, repository } from "../manifest/files.ts";
import { CONFIG, CONTEXT, MANIFEST } from "../manifest/same.ts";
import { forAllTests } from "../suite/opened.ts";
import { sampled, thorough } from "../suite/parts.ts";

const seen = vi.hoisted(() => ({ registrations: [] as Registration[] }));
vi.mock(import("../../engine/plan/registration.ts"), async (original) => {
  const { planRegistration, ...rest } = await original();
  const recording: typeof planRegistration = (state, registration) => {
    seen.registrations.push(registration);
    return planRegistration(state, registration);
  };
  return { ...rest, planRegistration: recording };
});

vi.setConfig({ testTimeout: 120_000 });

type Way = "process" | "direct";

const emulator = forAllTests(() => startEmulator({ seed: "demo" }));
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "landform-declared-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const ENV = {
  PULUMI_CONFIG_PASSPHRASE: "",
  TEMPLATE: "Product launch",
  API_TEXT: "from outside",
  C_URL: "https://c.example/v1",
};

/** Runs it once and returns the registrations; with a named program through the SDK. */
async function run(kind: "preview" | "up", way: Way, env: NodeJS.ProcessEnv = {}): Promise<[RunResult, unknown[]]> {
  const opened = await openStack(folder, "dev");
  for (const [key, value] of Object.entries(CONFIG)) opened.config.set(key, value);
  const all = { ...ENV, LANDFORM_BASE_URL: emulator.baseUrl, LANDFORM_API_KEY: emulator.apiKey, ...env };
  const engine = await EmbeddedEngine.open(opened, { backend: join(folder, "state"), env: all });
  seen.registrations.length = 0;
  try {
    const program = way === "process" ? { program: opened.program } : {};
    return [await engine.run({ kind, continueOnError: true, ...program }, () => undefined), comparable()];
  } finally {
    await engine.close();
  }
}

/** The manifest contains neither the stack nor an account; the SDK reports a line of our own code for them. */
function comparable(): unknown[] {
  const inOrder = [...seen.registrations].sort((a, b) => (`${a.type} ${a.name}` < `${b.type} ${b.name}` ? -1 : 1));
  return inOrder.map(({ source, stored, ...registration }) =>
    registration.type.startsWith("pulumi:") ? registration : { ...registration, source, stored },
  );
}

async function bothPlan(env: NodeJS.ProcessEnv = {}): Promise<RunResult> {
  const [byProcess, expected] = await run("preview", "process", env);
  const [direct, registered] = await run("preview", "direct", env);
  expect(registered).toEqual(expected);
  expect(direct.outputs).toEqual(byProcess.outputs);
  expect(direct.result).toBe(byProcess.result);
  expect(told(direct)).toEqual(told(byProcess));
  return direct;
}

/** Returns the failures with files relative to the project. The SDK words the consequences of a refusal, and nobody has to act on them. */
function told({ failures }: RunResult): string[] {
  const messages = failures.map(({ message }) => message.replaceAll(`${folder}/`, ""));
  return messages.filter((message) => !message.startsWith("Error: error serializing property"));
}

function manifest(text: string): void {
  writeFileSync(join(folder, "landform.yaml"), text);
}

describe("what is new", () => {
  const chosen = sampled(corpus("good"), Infinity, 6);
  for (const { name } of chosen.leave) test.skip(basename(name));
  test.each(chosen.run.map((file) => [basename(file.name), file] as const))(
    "%s",
    { tags: ["thorough"] },
    async (_, { text, folder: from }) => {
      cpSync(from, folder, { recursive: true });
      manifest(text);
      await bothPlan({ B_KEY: "lfk_b", C_KEY: "lfk_c", LANDFORM_TEXT: "text" });
    },
  );

  test.each(["quickstart-yaml", "release"])("examples/%s", { tags: ["thorough"] }, async (name) => {
    cpSync(join(repository, "examples", name), folder, { recursive: true });
    await bothPlan();
  });
});

thorough("what is there, what changes, and what follows from it", async () => {
  writeFileSync(join(folder, "brand.md"), CONTEXT);
  manifest(MANIFEST);
  await bothPlan();
  const [made] = await run("up", "direct");
  expect(made.failures).toEqual([]);
  expect(made.result).toBe("succeeded");
  expect((await bothPlan()).failures).toEqual([]);
  manifest(MANIFEST.replace("hero.title: Hello", "hero.title: Good day").replace("slug: offer }", "slug: offer-2 }"));
  await bothPlan();
  await bothPlan({ BRAND: "Others" });
  // The other way goes on without a change, and reports the same.
  manifest(MANIFEST);
  const [unchanged] = await run("up", "process");
  expect(unchanged.result).toBe("succeeded");
  const [direct] = await run("up", "direct");
  expect(direct.outputs).toEqual(unchanged.outputs);
  expect(direct.outputs["slug"]).toEqual({ value: "offer", secret: false });
  await bothPlan();
});

thorough("what is wrong is told in the same words, and nothing is deleted for it", async () => {
  manifest(`landform: 1
name: wrong
pages:
  one: { name: { env: NOT_THERE } }
  two: { content: { a: { ref: pages.one.url } } }
`);
  const { result, failures } = await bothPlan();
  expect(result).toBe("failed");
  expect(failures[0]?.message).toContain("the variable NOT_THERE is not set");
});
