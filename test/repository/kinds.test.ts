/** A kind owns itself: no other code names one. The test searches the text, because an import shows only the module. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { AnyDefinition } from "../../provider/definition/define.ts";
import { registry } from "../../provider/kinds/registry.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The kinds themselves, the service's operations, the service's records in the emulator, and the files generated from them. */
const OWN = ["provider/kinds/", "provider/api/"];
const EMULATED = ["operations", "records", "document", "visitors"].map((room) => `emulator/${room}/`);
const GENERATED = ["provider/pulumi/resources.ts", "provider/pulumi/kind-lookups.ts", "provider/lookups/kinds.ts"];

/** The few places that have to name a kind, with the reason. */
const ALLOWED: readonly { readonly place: string; readonly words: readonly string[]; readonly why: string }[] = [
  { place: "engine/", words: ["project"], why: "Pulumi's own project" },
  ...["cli/", "ci/", "story/", "stack/"].map((place) => {
    return { place, words: ["project"], why: "Pulumi's own project" };
  }),
  { place: "engine/", words: ["hooks"], why: "Pulumi's own resource hooks" },
  {
    place: "provider/pulumi/components.ts",
    words: ["pages", "funnel", "funnels", "release"],
    why: "what is made of several kinds",
  },
  { place: "cli/init/init.ts", words: ["funnel"], why: "what a project is called whose folder has no name" },
  { place: "story/", words: ["funnels"], why: "a field of the report, which is read by others" },
  ...["stack/report/json.ts", "stack/undo/shown.ts"].map((place) => {
    return { place, words: ["funnels"], why: "a field of the report, which is read by others" };
  }),
  { place: "story/environment.ts", words: ["pages", "hooks"], why: "an environment's addresses and options" },
  { place: "ci/forge/", words: ["page"], why: "a part of a code host's list" },
  { place: "cli/commands/templates.ts", words: ["page", "Page"], why: "content keys are a page's" },
  { place: "stack/keys.ts", words: ["page"], why: "content keys are a page's" },
  ...["engine/", "stack/engines/embedded.ts", "stack/stacks/kept.ts"].map((place) => {
    return { place, words: ["release"], why: "a lock is let go" };
  }),
  { place: "provider/pulumi/release-scope.ts", words: ["release"], why: "it is about releases" },
  { place: "provider/account/documents.ts", words: ["pages"], why: "what a page holds is settled by the account" },
  { place: "provider/lookups/templates.ts", words: ["quiz"], why: "a type of templates, in the service's words" },
  { place: "manifest/declare/order.ts", words: ["release"], why: "a page is told its release by that name" },
  {
    place: "provider/lookups/probe.ts",
    words: ["pages", "quiz", "quizzes"],
    why: "makes a page to read its content keys",
  },
  { place: "ci/forge/", words: ["page"], why: "a code host's lists have pages" },
  { place: "stack/env/", words: ["site", "hooks", "hook"], why: "options that are called what people call them" },
  { place: "stack/env/show.ts", words: ["pages"], why: "addresses to be opened" },
  { place: "provider/pulumi/preview-registration.ts", words: ["hook"], why: "why it is left out, for people" },
  { place: "stack/pictures/", words: ["video"], why: "an element of HTML" },
  { place: "cli/tour.ts", words: ["pages"], why: "plays one story on one page" },
  { place: "emulator/http/", words: ["page"], why: "a part of a list, and the error of the specification" },
  { place: "scripts/messages/", words: ["*"], why: "examples of messages are about something" },
];

const definitions = Object.values<AnyDefinition>(registry);
const words = new Set(
  definitions.flatMap(({ kind, type, section, collection, lookup }) => [
    ...[kind, type, section],
    ...[collection, lookup].flatMap((one) => (one ? [one.what, one.plural] : [])),
  ]),
);

type Naming = Readonly<{ file: string; line: number; word: string }>;

const files = ["provider", "manifest", "stack", "ci", "story", "cli", "engine", "emulator", "scripts"]
  .flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root }))
  .filter((file) => ![...OWN, ...EMULATED, ...GENERATED].some((own) => file.startsWith(own)))
  .sort();

/** Finds texts that are exactly one of the words, and properties of that name. */
function namingsIn(file: string): Naming[] {
  const code = readFileSync(join(root, file), "utf8")
    .replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, blank)
    .replace(/^(?:import|export)\b[^;]*?\bfrom\s+"[^"]+";/gm, blank);
  return code.split("\n").flatMap((text, index) =>
    [...text.matchAll(/(["'`])(\w+)\1|\.(\w+)\b(?!\s*:)/g)].flatMap((match) => {
      const word = match[2] ?? match[3] ?? "";
      return words.has(word) ? [{ file, line: index + 1, word }] : [];
    }),
  );
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, " ");
}

const isAllowed = ({ file, word }: Naming): boolean =>
  ALLOWED.some(
    ({ place, words: allowed }) => file.startsWith(place) && (allowed.includes("*") || allowed.includes(word)),
  );

test("there is something to look at", () => {
  expect(files.length).toBeGreaterThan(200);
  expect([...words]).toEqual(expect.arrayContaining(["page", "Page", "pages", "video", "videoPlayers"]));
});

test("no kind is named outside of its definition, the API and the emulated service", () => {
  const namings = files.flatMap(namingsIn).filter((naming) => !isAllowed(naming));
  expect(namings.map(({ file, line, word }) => `${file}:${line} names "${word}"`)).toEqual([]);
});

test("what is allowed is needed", () => {
  const namings = files.flatMap(namingsIn);
  for (const { place, words: allowed } of ALLOWED)
    for (const word of allowed)
      expect(
        namings.some((one) => one.file.startsWith(place) && (word === "*" || one.word === word)),
        `${place} may name "${word}", and doesn't: take it out of the list`,
      ).toBe(true);
});
