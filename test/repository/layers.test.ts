/** The house is easy to see: imports go one way, and each platform has one door. */
import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const FOLDERS = ["provider", "engine", "emulator", "manifest", "stack", "ci", "story", "cli"];

/** Rooms and files of the engine, from the ground up. */
const ROOMS = ["model", "state", "errors", "plan", "events", "request", "sdk", "link", "program", "run", "index"];
/** Rooms of the provider, from the ground up. The rooms below the kinds know no kind by name. */
const PROVIDER =
  "values api seen messages ledger history definition account reconcile hooks kinds lookups preview pulumi".split(" ");
/** Rooms of a page, from the ground up. Files beside them know them all. */
const PAGE = ["document", "edits", "draft", "public"];
/** A definition's methods get the run and the object. */
const DEFINES = "provider/definition/define.ts";
const HANDED = ["provider/reconcile/run-context.ts", "provider/reconcile/object-state.ts"];
/** Rooms of the manifest, from the ground up. */
const MANIFEST = ["source", "language", "data", "declare", "match", "write", "translate", "check", "export", "run"];
/** Rooms of the stack, from the ground up. Files beside them know them all. */
const STACK = [
  ...["options.ts", "intents.ts", "report", "pictures", "advice", "exit", "project", "engines/declared", "engines"],
  ...[
    "engines/pulumi/host",
    "engines/pulumi",
    "settings",
    "places",
    "history",
    "stacks",
    "sources",
    "run",
    "undo",
    "lint",
    "review",
  ],
  ...["checks", "plan", "env"],
];
/** Files above the account that wait, with the reason. None waits for the service. */
const WAITING: Readonly<Record<string, string>> = {
  "provider/reconcile/run-context.ts": "the run hands out the account's patience",
  "provider/kinds/page/public/path.ts": "the run may not have come to the page yet that makes way for another",
  "provider/kinds/page/edits/guard.ts": "the run may not have come to the page yet that makes way, or that is copied",
};
/** Tests of the engine's parts, and harnesses that speak to a provider's host as the engine does, or stand for one. */
const LOOKS_INSIDE =
  /^test\/(engine|engine-state)\/|^test\/provider\/harness\.ts$|^test\/walk\/(in-process|program-in-process|desk)\.ts$|^test\/cli\/(declared\.test|near-desk)\.ts$/;

interface Import {
  readonly from: string;
  /** A path from the root of the repository, or the name of a package. */
  readonly to: string;
  readonly typeOnly: boolean;
}

const files = FOLDERS.flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root })).sort();
const imports = files.flatMap(importsOf);

function importsOf(file: string): Import[] {
  const found = readFileSync(join(root, file), "utf8").matchAll(
    /^(?:import|export)\s+(type\s)?[^;]*?from\s+"([^"]+)"|^import\s+"([^"]+)"|import\("([^"]+)"\)/gm,
  );
  return [...found].map((match) => {
    const target = match[2] ?? match[3] ?? match[4] ?? "";
    const to = target.startsWith(".") ? normalize(join(dirname(file), target)) : target;
    return { from: file, to, typeOnly: match[1] !== undefined };
  });
}

const offenders = (rule: (edge: Import) => boolean): string[] =>
  imports.filter(rule).map(({ from, to }) => `${from} imports ${to}`);

const inside = (path: string, ...folders: string[]): boolean => folders.some((folder) => path.startsWith(`${folder}/`));

test("there is something to look at", () => {
  expect(files.length).toBeGreaterThan(100);
  expect(imports.length).toBeGreaterThan(files.length);
});

describe("each platform has one door", () => {
  test("undici: provider/api/client.ts", () =>
    expect(offenders(({ from, to }) => to === "undici" && from !== "provider/api/client.ts")).toEqual([]));

  test("Pulumi in the provider: provider/pulumi/", () => {
    const isPulumi = (to: string): boolean => to.startsWith("@pulumi/");
    expect(
      offenders(({ from, to }) => isPulumi(to) && inside(from, "provider") && !inside(from, "provider/pulumi")),
    ).toEqual([]);
  });

  test("patience: provider/account/", () => {
    const above = PROVIDER.slice(PROVIDER.indexOf("account") + 1).map((room) => `provider/${room}`);
    const WAITS = /(?<!\.)\b(?:setTimeout|setInterval|delay|sleep)\(|\b(?:patientLook|comesTo)\b/;
    const waiting = files.filter((file) => inside(file, ...above) && WAITS.test(codeOf(file)));
    expect(waiting).toEqual(Object.keys(WAITING).sort());
    expect(offenders(({ from, to }) => inside(from, ...above) && to.startsWith("node:timers"))).toEqual([]);
  });

  test("the name of the command that people type: provider/values/command-line.ts", () => {
    const speaks = files.filter((file) => inside(file, "provider", "manifest", "stack", "story", "ci"));
    const typed = (file: string): boolean =>
      /^(?!\s*(?:\*|\/)).*npx landform/m.test(readFileSync(join(root, file), "utf8"));
    expect(speaks.filter(typed)).toEqual(["provider/values/command-line.ts"]);
  });

  test("gRPC: engine/", () =>
    expect(offenders(({ from, to }) => to.startsWith("@grpc/") && !inside(from, "engine"))).toEqual([]));

  test("node:sqlite: the emulator's store", () =>
    expect(offenders(({ from, to }) => to === "node:sqlite" && from !== "emulator/records/store.ts")).toEqual([]));

  test("commander and the console: cli/", () => {
    expect(offenders(({ from, to }) => to === "commander" && !inside(from, "cli", "stack/exit", "stack/lint"))).toEqual(
      [],
    );
    const talks = (file: string): boolean => /\bconsole\.|process\.exit\(/.test(codeOf(file));
    const talkative = files.filter(
      (file) => !inside(file, "cli", "stack/run", "stack/engines/pulumi/host") && talks(file),
    );
    expect(talkative).toEqual([]);
  });
});

describe("data flows one way", () => {
  test("the engine and the emulator know nothing of the provider, nor of each other", () => {
    const own = { engine: ["engine"], emulator: ["emulator"] };
    for (const [folder, allowed] of Object.entries(own)) {
      const others = FOLDERS.filter((other) => !allowed.includes(other));
      expect(offenders(({ from, to }) => inside(from, folder) && inside(to, ...others))).toEqual([]);
    }
  });

  test("the engine is used through its index alone; only its own tests look inside", () => {
    const outsiders = globSync("{test,bench,scripts}/**/*.ts", { cwd: root }).filter(
      (file) => !LOOKS_INSIDE.test(file),
    );
    const edges = [...imports.filter(({ from }) => !inside(from, "engine")), ...outsiders.flatMap(importsOf)];
    const doors = edges.filter(({ to }) => inside(to, "engine"));
    expect(doors.length).toBeGreaterThan(20);
    // Every child loads it, and the whole engine would be too much.
    const hook = "engine/sdk/child-hook.ts";
    const others = doors.filter(({ from, to }) => !(to === hook && from === "stack/engines/pulumi/host/process.ts"));
    expect(others.filter(({ to }) => to !== "engine/index.ts")).toEqual([]);
  });

  test("a room of the engine knows only the rooms below it", () => {
    const roomOf = (file: string): number =>
      ROOMS.findIndex((room) => file === `engine/${room}.ts` || inside(file, `engine/${room}`));
    const own = imports.filter(({ from, to }) => inside(from, "engine") && inside(to, "engine"));
    expect(own.filter(({ from, to }) => roomOf(from) === -1 || roomOf(to) === -1)).toEqual([]);
    expect(own.filter(({ from, to }) => roomOf(from) < roomOf(to))).toEqual([]);
  });

  test("nothing is kept on module level under the kinds: what a run knows, the run hands out", () => {
    const KEPT =
      /^(?:export )?(?:let |(?:const|var) \w+[^=\n]*= new (?:Weak\w+|Map<[^\n]*>\(\)|Set<[^\n]*>\(\)|Map\(\)|Set\(\)))/m;
    const rooms = ["provider/kinds", "provider/reconcile", "provider/account", "provider/ledger"];
    expect(files.filter((file) => inside(file, ...rooms) && KEPT.test(codeOf(file)))).toEqual([]);
  });

  test("the provider knows nothing of what is built on it", () =>
    expect(
      offenders(
        ({ from, to }) =>
          inside(from, "provider") && inside(to, "engine", "emulator", "manifest", "stack", "ci", "story", "cli"),
      ),
    ).toEqual([]));

  test("the manifest knows the provider only", () =>
    expect(
      offenders(
        ({ from, to }) => inside(from, "manifest") && inside(to, "engine", "emulator", "stack", "ci", "story", "cli"),
      ),
    ).toEqual([]));

  test("a room of the manifest knows only the rooms below it", () => {
    const roomOf = (file: string): number => MANIFEST.findIndex((room) => inside(file, `manifest/${room}`));
    const own = imports.filter(({ from, to }) => inside(from, "manifest") && inside(to, "manifest"));
    // A file outside of the rooms is the package's door, and no file in a room imports it.
    expect(own.filter(({ to }) => roomOf(to) === -1 && !["manifest/index.ts"].includes(to))).toEqual([]);
    expect(own.filter(({ from, to }) => roomOf(from) !== -1 && roomOf(from) < roomOf(to))).toEqual([]);
    expect(own.filter(({ from, to }) => roomOf(from) !== -1 && roomOf(to) === -1)).toEqual([]);
  });

  test("cli -> ci -> story -> stack", () => {
    const below = { stack: ["story", "ci", "cli"], story: ["ci", "cli"], ci: ["cli"] };
    const backwards = Object.entries(below).flatMap(([room, above]) =>
      offenders(({ from, to }) => inside(from, room) && inside(to, ...above)),
    );
    expect(backwards).toEqual([]);
  });

  test("a room of the stack knows only the rooms below it", () => {
    const roomOf = (file: string): number => {
      const folder = dirname(file) === "stack" ? file : dirname(file);
      return STACK.findIndex((room) => folder === `stack/${room}`);
    };
    const own = imports.filter(({ from, to }) => inside(from, "stack") && inside(to, "stack"));
    expect(own.filter(({ to }) => roomOf(to) === -1)).toEqual([]);
    expect(own.filter(({ from, to }) => roomOf(from) !== -1 && roomOf(from) < roomOf(to))).toEqual([]);
    const rooms = files.filter((file) => inside(dirname(file), "stack"));
    expect(rooms.filter((file) => roomOf(file) === -1)).toEqual([]);
  });

  test("a room of the provider knows only the rooms below it", () => {
    const roomOf = (file: string): number => PROVIDER.findIndex((room) => inside(file, `provider/${room}`));
    const own = imports.filter(({ from, to }) => inside(from, "provider") && inside(to, "provider"));
    expect(own.filter(({ to }) => roomOf(to) === -1)).toEqual([]);
    const isHanded = ({ from, to }: Import): boolean => from === DEFINES && HANDED.includes(to);
    const upwards = own.filter((edge) => roomOf(edge.from) !== -1 && roomOf(edge.from) < roomOf(edge.to));
    expect(upwards.filter((edge) => !(edge.typeOnly && isHanded(edge)))).toEqual([]);
  });

  test("the kinds are used through their registry alone", () => {
    const DOOR = "provider/kinds/registry.ts";
    // A lookup of one kind. No definition has another like it.
    const LOOKUP = { from: "provider/lookups/index.ts", to: "provider/kinds/hook.ts" };
    const outsiders = [
      ...imports,
      ...globSync("{bench,scripts,examples}/**/*.ts", { cwd: root, exclude: ["**/node_modules/**"] }).flatMap(
        importsOf,
      ),
    ].filter(({ from, to }) => inside(to, "provider/kinds") && !inside(from, "provider/kinds"));
    expect(outsiders.filter(({ to }) => to === DOOR).length).toBeGreaterThan(20);
    const others = outsiders.filter(({ from, to }) => to !== DOOR && !(from === LOOKUP.from && to === LOOKUP.to));
    expect(others.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
  });

  test("a room of a page knows only the rooms below it", () => {
    const roomOf = (file: string): number => PAGE.findIndex((room) => inside(file, `provider/kinds/page/${room}`));
    const own = imports.filter(({ from, to }) => roomOf(from) !== -1 && inside(to, "provider/kinds/page"));
    expect(own.length).toBeGreaterThan(50);
    expect(own.filter(({ from, to }) => roomOf(to) === -1 || roomOf(from) < roomOf(to))).toEqual([]);
  });

  test("no cycle among files", () => expect(cycles()).toEqual([]));
});

/** Returns a file without its comments and texts. */
function codeOf(file: string): string {
  return readFileSync(join(root, file), "utf8").replace(/\/\*[\s\S]*?\*\/|\/\/.*|"[^"\n]*"|'[^'\n]*'|`[^`]*`/g, "");
}

function cycles(): string[] {
  const edges = new Map<string, string[]>();
  for (const { from, to, typeOnly } of imports)
    if (!typeOnly || !inside(from, "provider")) edges.set(from, [...(edges.get(from) ?? []), to]);
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, trail: readonly string[]): void => {
    const start = trail.indexOf(file);
    if (start >= 0) found.push([...trail.slice(start), file].join(" -> "));
    if (start >= 0 || done.has(file)) return;
    for (const next of edges.get(file) ?? []) visit(next, [...trail, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
  return found;
}
