// @module-tag repeated
/**
 * Answers with a broken structure: missing fields, other types, nested in place of flat, names of JavaScript's own, huge or half an emoji. A run on
 * them may fail, with an error that says so. It never crashes, hangs or changes a prototype, and a run on sound answers works again.
 */
import fc from "fast-check";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startEmulator, type Emulator } from "../../emulator/index.ts";
import { rounds } from "../suite/parts.ts";
import { Between } from "./between.ts";
import { prepare, scenarios, type Ground } from "./scenarios.ts";
import { Stack } from "./stack.ts";
import { forAllTests } from "../suite/opened.ts";

vi.mock("node:timers/promises", async () => ({ setTimeout: (await import("./clock.ts")).sleep }));

const RUNS = rounds({ quick: 60, all: 400, soak: 10_000 });

interface Mutation {
  /** The number of the changed answer in the run. */
  readonly answer: number;
  /** The place in the answer. */
  readonly place: number;
  readonly change: "remove" | "replace" | "wrap" | "twice" | "cut";
  readonly value: unknown;
}

const values = fc.oneof(
  fc.constantFrom<unknown>(null, true, 0, -1, 1e308, "", "\ud83d", "\u0000\u001b[2J", "x".repeat(200_000), [], {}, [
    [],
  ]),
  fc.constantFrom<unknown>(
    JSON.parse('{"__proto__":{"polluted":true}}'),
    { constructor: 1 },
    { toString: 1, length: -1 },
  ),
  fc.jsonValue({ maxDepth: 3 }),
);

const mutation: fc.Arbitrary<Mutation> = fc.record({
  answer: fc.nat(40),
  place: fc.nat(200),
  change: fc.constantFrom("remove", "replace", "wrap", "twice", "cut"),
  value: values,
});

function mutated(text: string, { place, change, value }: Mutation): string {
  if (change === "cut") return text.slice(0, place % Math.max(text.length, 1));
  const document: unknown = JSON.parse(text);
  const paths = pathsOf(document);
  const path = paths[place % paths.length] ?? [];
  return JSON.stringify(changed(document, path, change, value) ?? null);
}

type Path = readonly (string | number)[];

function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [path];
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [path, ...entries.flatMap(([key, inner]) => pathsOf(inner, [...path, key]))];
}

function changed(value: unknown, [step, ...rest]: Path, change: Mutation["change"], put: unknown): unknown {
  if (step === undefined) return change === "wrap" ? { data: value } : change === "twice" ? [value, value] : put;
  if (Array.isArray(value))
    return value.map((item: unknown, index): unknown => (index === step ? changed(item, rest, change, put) : item));
  const entries = Object.entries(value as object).flatMap(([key, inner]): [string, unknown][] => {
    if (key !== step) return [[key, inner]];
    return change === "remove" && rest.length === 0 ? [] : [[key, changed(inner, rest, change, put)]];
  });
  return Object.fromEntries(entries);
}

const emulator = forAllTests(() => startEmulator());
let between: Between;
let ground: Ground;
let before: ReturnType<Emulator["records"]>;
let baseUrl: string;

beforeAll(async () => {
  ground = await prepare(emulator);
  before = emulator.records();
  between = new Between(emulator);
  baseUrl = await between.listen();
});
afterAll(() => between.close());

let failed = 0;
let struck = 0;

/** Changes one of the next answers; none without a mutation. */
function use(mutation: Mutation | undefined): void {
  let count = 0;
  between.change = (answered) => {
    if (mutation === undefined || count++ !== mutation.answer) return answered;
    struck++;
    return { ...answered, text: mutated(answered.text, mutation) };
  };
}

/** The id of the account, in the first answer. */
const HALF_AN_ID: Mutation = { answer: 0, place: 1, change: "replace", value: "\ud83d" };
/** The id of the page, in the list that has it. */
const NO_ID: Mutation = { answer: 3, place: 91, change: "replace", value: "\u0000\u001b[2J" };

test("no answer crashes a run, hangs it, or changes a prototype", async () => {
  const chosen = scenarios.filter(({ name }) =>
    ["page of a template", "funnel", "product", "blank quiz"].includes(name),
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...chosen), mutation, async (scenario, change) => {
      const stack = new Stack("fuzzed");
      const service = { baseUrl, apiKey: emulator.apiKey, timeoutMs: 20_000 };
      try {
        const [program = []] = scenario.programs(ground);
        use(change);
        const { error } = await stack.up(service, program);
        // A failure has words of ours, and is never a fault of the program.
        if (error !== undefined) failed++;
        if (error !== undefined) expect(`${error.name}: ${error.message}`).not.toMatch(PROGRAM_FAULT);
        expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
        use(undefined);
        const again = (await stack.up(service, program)).error ?? (await stack.destroy(service)).error;
        // The run takes an answer's id for the object's or the account's, so it can only report that there is no such object.
        if (again !== undefined && isAboutWrongId(again.message, change)) return;
        expect(again?.message).toBeUndefined();
      } finally {
        use(undefined);
        stack.close();
        emulator.restore(before);
      }
    }),
    {
      numRuns: RUNS,
      examples: chosen.slice(0, 1).flatMap((scenario) => [HALF_AN_ID, NO_ID].map((one) => [scenario, one])),
    },
  );
  expect(struck).toBeGreaterThan(RUNS / 5);
  expect(failed).toBeGreaterThan(RUNS / 20);
}, 3_000_000);

function isAboutWrongId(message: string, { change, value }: Mutation): boolean {
  if (change !== "replace") return false;
  // The message shows the beginning of a long id.
  const id = JSON.stringify(String(value)).slice(0, 40);
  const isUnknown = /404 \w*not_found/.test(message) && message.includes(id);
  // No server takes an address of such a length.
  const isTooLong = String(value).length > 100_000 && message.includes("the service answered 431");
  return (
    isUnknown ||
    isTooLong ||
    message.includes(`this stack's state belongs to account ${String(value)}. Nothing was sent.`)
  );
}

const PROGRAM_FAULT =
  /^(TypeError|RangeError|ReferenceError|SyntaxError)|is not a function|undefined \(reading|is not iterable/;
