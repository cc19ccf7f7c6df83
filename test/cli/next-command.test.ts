/** A reader can type every command in a message as it stands, and it means the run in the message. */
import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createProgram } from "../../cli/cli.ts";
import { commands, nameOf } from "../../cli/commands/index.ts";
import { calledIn, nameWithin, optionsOf } from "../../cli/groups.ts";
import {
  IntegrityError,
  JournalCorruptError,
  JournalMismatchError,
  LockedError,
  RefusedImportError,
  StateError,
} from "../../engine/index.ts";
import { explain } from "../../stack/exit/report.ts";
import { leavesOf } from "./leaves.ts";
import { repository } from "../docs/markdown.ts";
import { commandLine, completed, TAKEN, typedIn, type Typed } from "../../stack/advice/next-command.ts";

const HERE = "/work here";
const program = await createProgram();

describe("a command that is advised", () => {
  const hard = ["a b", "é🦊", "a\nb", "&& rm", "urn:pulumi:dev::shop::landform:index:Page::a b"];
  const text = fc.oneof(
    fc.constantFrom(...hard, ..."prod -x --yes ~ ~/a it's \" $HOME `id` $(id) * ! \\ #a Page/o* ; = {a,b}".split(" ")),
    fc.string({ minLength: 1, unit: "grapheme" }).filter((one) => !one.includes("\0")),
  );
  const typed: fc.Arbitrary<Typed> = fc.record(
    {
      C: text,
      stack: text,
      engine: fc.constantFrom("pulumi", "embedded"),
      target: fc.array(text, { minLength: 1, maxLength: 3 }),
      pr: fc.integer({ min: 1 }),
      branch: text,
    },
    { requiredKeys: [] },
  );

  test("is read by a shell and by the program as what was typed", async () => {
    const cases = fc.sample(fc.tuple(fc.constantFrom(...TAKEN.keys()), typed), 200);
    // All run in one shell, one line of words each.
    const lines = cases.map(([command, choice]) => commandLine(completed({ command, arguments: [] }, choice)));
    const script = lines.map((line) => `printf '%s\\0' ${line}; printf '\\0'`).join("\n");
    const read = execFileSync("sh", ["-c", script], { encoding: "utf8" }).split("\0\0").slice(0, -1);
    expect(read).toHaveLength(cases.length);
    for (const [index, [name, choice]] of cases.entries()) {
      const [npx, landform, ...args] = (read[index] ?? "").split("\0");
      expect([npx, landform]).toEqual(["npx", "landform"]);
      const due = Object.fromEntries((TAKEN.get(name) ?? []).map((option) => [option, choice[option]]));
      expect(await readFrom(args)).toEqual(typedIn(due, HERE));
    }
  });
});

test("each command is given the options that it has", () => {
  for (const [name, options] of TAKEN) {
    const command = calledIn(program, name.split(" "));
    expect([name, command?.name()]).toEqual([name, name.split(" ").at(-1)]);
    const has = (command === undefined ? [] : optionsOf(command)).map((option) => option.attributeName());
    // Other commands name their environment or request themselves.
    const known = name === "env up" ? [...KNOWN, "pr", "branch"] : KNOWN;
    // A preview's --stack is its base, and not the stack of the run that gives the advice.
    const taken = known.filter((option) => has.includes(option) && !(name === "ci preview" && option === "stack"));
    expect([name, [...options].sort()]).toEqual([name, taken.sort()]);
  }
  const all = leavesOf(program).filter((command) =>
    optionsOf(command).some(({ short, long }) => short === "-s" || long === "--engine"),
  );
  // These commands are about files, and their messages name them.
  expect(all.map(nameWithin).filter((name) => !TAKEN.has(name))).toEqual(["export"]);
});

const KNOWN = ["C", "stack", "engine", "target"] as const;

const journal = ["npx landform state unlock", "npx landform refresh"];

test.each([
  [() => new LockedError("", []), ["npx landform state unlock"]],
  [() => new JournalCorruptError(""), journal],
  [() => new JournalMismatchError(""), journal],
  [() => new IntegrityError("", []), ["npx landform state export", "npx landform state import"]],
  [() => new RefusedImportError("", []), ["npx landform state export"]],
  [() => new StateError(""), []],
] as const)("%s of the engine, which names no command itself", (error, lines) => {
  const { advice = [] } = explain(error(), {});
  expect(advice.map(commandLine)).toEqual(lines);
});

test("no command line is written by hand", () => {
  const files = globSync("{engine,provider,manifest,stack,story,ci,emulator}/**/*.ts", { cwd: repository });
  const written = files.filter((file) => readFileSync(join(repository, file), "utf8").includes("npx landform"));
  expect(written).toEqual(["provider/values/command-line.ts"]);
});

async function readFrom(args: readonly string[]): Promise<Typed> {
  // A command keeps the values that it has read.
  const fresh = await createProgram(commands.filter((entry) => nameOf(entry) === args[0]));
  const command = calledIn(fresh, args);
  if (command === undefined) throw new Error(`there is no command ${args.join(" ")}`);
  let read: Typed = {};
  command.action(() => void (read = typedIn(command.optsWithGlobals(), HERE)));
  // The command gets the arguments that it requires.
  const rest = command.registeredArguments.flatMap(({ required }) => (required ? ["x"] : []));
  await fresh.parseAsync([...args, ...rest], { from: "user" });
  return read;
}
