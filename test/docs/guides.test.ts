// @module-tag thorough
/** The commands of the guides run in their order, in a folder that was empty, and end with the exit codes that the guides say. */
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test, vi } from "vitest";
import type { EmulatorOptions } from "../../emulator/index.ts";
import { LandformApi } from "../../provider/api/index.ts";
import { Desk } from "../cli/harness.ts";
import { blocksOf, repository } from "./markdown.ts";

vi.setConfig({ testTimeout: 300_000 });

/** A person's work right before a command of the guide. */
type Step = readonly [command: string, work: (desk: Desk) => Promise<void> | void];

interface Guide {
  readonly account?: EmulatorOptions;
  /** The reader's files. Default: the funnel of the README. */
  readonly files?: Readonly<Record<string, string>>;
  /** True if the reader has deployed before. */
  readonly deployed?: true;
  /** In the order of the guide. */
  readonly steps?: readonly Step[];
  /** Commands that do not end with 0. */
  readonly ends?: Readonly<Record<string, number>>;
}

const MANIFEST = "landform.yaml";
const FUNNEL = { [MANIFEST]: blockIn("README.md", "yaml") };
const [FIRST, NEXT, IN_APP] = ["A mug worth getting up for", "A mug worth staying up for", "A mug worth sharing"];

const GUIDES: Readonly<Record<string, Guide>> = {
  "first-change": { deployed: true, steps: [["check", changed]] },
  copywriters: { deployed: true, steps: [["preview --html plan.html", changed]] },
  translations: {
    files: {
      [MANIFEST]: blockIn("docs/guides/translations.md", "yaml"),
      "content/offer.en.yaml": "hero.title: A mug\n",
    },
    steps: [
      ["copy import de.csv", (desk) => desk.edit("de.csv", "A mug,,", "A mug,Ein Becher,")],
      ["check --fail-on stale", (desk) => desk.edit("content/offer.en.yaml", "A mug", "Your mug")],
    ],
    ends: { "check --fail-on stale": 1 },
  },
  "existing-account": { account: { seed: "demo" }, files: {} },
  "rolling-back": {
    deployed: true,
    steps: [
      ["undo", deployedChange],
      ["undo --write", (desk) => run(desk, "up --yes")],
      ["history", deployedChange],
      ["undo --save undo.json", (desk) => run(desk, "up --yes")],
    ],
  },
  "edited-in-the-app": {
    deployed: true,
    steps: [
      ["drift", (desk) => editInApp(desk, { "hero.title": IN_APP })],
      ["up --foreign-edits include", heldBack],
    ],
  },
  "lost-state": {
    deployed: true,
    steps: [["stack ls", (desk) => rmSync(desk.path(".pulumi"), { recursive: true })]],
  },
  "moving-pages": {
    deployed: true,
    steps: [
      ["preview", (desk) => desk.edit(MANIFEST, "slug: offer", "slug: deal")],
      ["redirects --format nginx", (desk) => run(desk, "up --yes")],
    ],
  },
  "many-pages": {
    files: {
      [MANIFEST]: blockIn("docs/guides/many-pages.md", "yaml"),
      "cities.csv": blockIn("docs/guides/many-pages.md", "text"),
    },
    steps: [["drift --write", (desk) => run(desk, "up --yes")]],
  },
};

test.each(Object.entries(GUIDES))(
  "%s",
  async (name, { account = {}, files = FUNNEL, deployed, steps = [], ends = {} }) => {
    const desk = await Desk.open(undefined, account);
    try {
      for (const [file, text] of Object.entries(files)) {
        mkdirSync(dirname(desk.path(file)), { recursive: true });
        desk.write(file, text);
      }
      if (deployed) await run(desk, "up --yes");
      const left = [...steps];
      for (const command of commandsIn(`docs/guides/${name}.md`)) {
        if (left[0]?.[0] === command) await left.shift()?.[1](desk);
        await run(desk, await answered(command, desk), ends[command]);
      }
      expect(left).toEqual([]);
    } finally {
      await desk.close();
    }
  },
);

function changed(desk: Desk): void {
  desk.edit(MANIFEST, FIRST, NEXT);
}

async function deployedChange(desk: Desk): Promise<void> {
  changed(desk);
  await run(desk, "up --yes");
}

/** A colleague edits the draft of the page that the reader changes. */
async function heldBack(desk: Desk): Promise<void> {
  desk.edit(MANIFEST, IN_APP, NEXT);
  await editInApp(desk, { "hero.note": "Only today: three for two" });
  await run(desk, "up --yes", 1);
}

async function editInApp({ emulator }: Desk, updates: Readonly<Record<string, string>>): Promise<void> {
  const api = new LandformApi(emulator);
  for await (const { id } of api.pages.iterate()) await api.pages.updateContent({ page_id: id, updates });
  await api.close();
}

async function run(desk: Desk, command: string, code = 0): Promise<void> {
  const words = [...command.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);
  const { stdout, stderr, ...ended } = await desk.run(words);
  expect(ended.code, `${command}\n${stdout}\n${stderr}`).toBe(code);
}

function blockIn(file: string, language: string): string {
  const blocks = blocksOf(readFileSync(join(repository, file), "utf8"));
  return blocks.find((block) => block.language === language)?.text ?? "";
}

/** Returns each command without `npx landform` and without the shell's redirection. */
function commandsIn(file: string): string[] {
  const blocks = blocksOf(readFileSync(join(repository, file), "utf8")).filter(({ language }) => language === "sh");
  const lines = blocks.flatMap(({ text }) =>
    text.split("\n").flatMap((line) => line.replace(/\s*#.*/, "").trim() || []),
  );
  expect(lines.filter((line) => !line.startsWith("npx landform "))).toEqual([]);
  return lines.map((line) => line.replace("npx landform ", "").replace(/ > \S+$/, ""));
}

/** Answers the question that the command would ask, and names a run of this history in place of the guide's. */
async function answered(command: string, desk: Desk): Promise<string> {
  const asks = /^(up|undo|adopt)\b/.test(command) && !/--(plan|save)\b/.test(command);
  const { stdout } = /\d{8}-/.test(command) ? await desk.run(["history"]) : { stdout: "" };
  const [last = ""] = /\d{8}-[\d.]+-\w+/.exec(stdout) ?? [];
  return command.replace(/\d{8}-\d+/, last) + (asks ? " --yes" : "");
}
