/**
 * The code in the documents works as it stands: YAML passes `landform check`, TypeScript compiles with the package's types, and each
 * `landform` command parses. `<!-- part -->` before a block of YAML says that it is a part of a manifest; the rest stands here.
 */
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Ajv } from "ajv";
import ts from "typescript";
import { afterAll, describe, expect, test } from "vitest";
import { createProgram } from "../../cli/cli.ts";
import { commands, nameOf } from "../../cli/commands/index.ts";
import { calledIn } from "../../cli/groups.ts";
import { NearDesk, runHere } from "../cli/near-desk.ts";
import { documentFromTemplate, templates } from "../../emulator/document/templates/index.ts";
import { faultSchema } from "../../emulator/index.ts";
import { lint, type TemplateKeys } from "../../manifest/index.ts";
import { validate } from "../../manifest/check/validate.ts";
import { blocksOf, repository, withoutBlocks, type Block } from "./markdown.ts";
import { forAllTests } from "../suite/opened.ts";

interface Piece extends Block {
  readonly file: string;
}

const files = globSync(["*.md", "docs/**/*.md", "examples/**/README.md"], { cwd: repository });
const texts = new Map(files.map((file) => [file, readFileSync(join(repository, file), "utf8")]));
const pieces = [...texts].flatMap(([file, text]) => blocksOf(text).map((block): Piece => ({ ...block, file })));
const of = (language: string): Piece[] => pieces.filter((piece) => piece.language === language);
const placeOf = ({ file, line }: Piece): string => `${file}:${line}`;

/** Inside the repository, where a program finds "landform" as in a user's project. */
mkdirSync(join(repository, ".cache"), { recursive: true });
const root = mkdtempSync(join(repository, ".cache/blocks-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Languages that this file does not run. */
const LEFT: Readonly<Record<string, string>> = {
  text: "output and data files",
  mermaid: "drawings",
};

const left = pieces.filter(({ language }) => language in LEFT);

test(`${left.length} of ${pieces.length} blocks are ${Object.values(LEFT).join(" or ")}`, () => {
  const tested = new Set(["sh", "ts", "yaml", "json"]);
  expect(pieces.filter((piece) => !tested.has(piece.language) && !left.includes(piece)).map(placeOf)).toEqual([]);
  for (const language of ["sh", "ts", "yaml"]) expect(of(language).length).toBeGreaterThan(5);
});

test("JSON is a list of faults", () => {
  const isList = new Ajv({ strict: false }).compile({ type: "array", items: faultSchema });
  expect(of("json").filter(({ text }) => !isList(JSON.parse(text)))).toEqual([]);
});

describe("YAML", () => {
  /** Configuration of Pulumi, which test/docs/reconciliation.test.ts compares with Pulumi's own schemas. */
  const isPulumis = ({ text }: Piece): boolean => /^(apiVersion|settings):/m.test(text);
  const manifests = of("yaml").filter((piece) => !isPulumis(piece));

  test("only two blocks are not of Landform", () =>
    expect(
      of("yaml")
        .filter(isPulumis)
        .map(({ file }) => file),
    ).toEqual(Array(2).fill("docs/guides/without-ci.md")));

  const desk = forAllTests(() => NearDesk.open());

  test.each(manifests.map((piece) => [placeOf(piece), piece] as const))(
    "%s passes check and has a plan",
    async (_, piece) => {
      const folder = mkdtempSync(join(root, "manifest-"));
      cpSync(join(repository, "examples/many-markets"), folder, { recursive: true });
      for (const [name, text] of Object.entries({
        ...FILES,
        ...shownFiles(piece.file),
        "landform.yaml": wholeOf(piece),
      })) {
        mkdirSync(dirname(join(folder, name)), { recursive: true });
        writeFileSync(join(folder, name), text);
      }
      const { diagnostics, manifest } = validate(join(folder, "landform.yaml"), { cwd: folder });
      expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
      const told = manifest === undefined ? undefined : lint(manifest, { templates: TEMPLATES });
      expect(told?.filter(({ code }) => code === "missing-variable")).toEqual([]);
      // test/docs/guides.test.ts compares these with an account that has their objects.
      if (piece.text.includes("adoptId")) return;
      const { code, stderr } = await runHere(["preview"], folder, desk.env);
      expect(code, stderr).toBe(0);
    },
  );
});

/** The placeholders of the emulator's templates. A page that leaves one without a value can't be published. */
const TEMPLATES = new Map<string, TemplateKeys>(
  templates.map(({ id, name }) => {
    const text = JSON.stringify(documentFromTemplate(id, () => ""));
    const variables = Object.fromEntries([...text.matchAll(/{{(\w+)}}/g)].map(([, variable = ""]) => [variable, []]));
    return [id, { name, keys: [], variables, readAt: "2026-11-27" }];
  }),
);

/** The files that the guides take from a reader's project, beside those of examples/many-markets. */
const FILES: Readonly<Record<string, string>> = {
  "copy/base.yaml": "hero.title: A mug\n",
  "copy/de.yaml": "hero.title: Ein Becher\n",
  "copy/offer.csv": "key,value,de\nhero.title,A mug,Ein Becher\n",
  "copy/offer/hero.title.md": "A mug\n",
  "brands/acme.yaml": "pages:\n  acme: { template: tpl-hero, variables: { brand: Acme } }\n",
  "content/offer.en.yaml": "hero.title: A mug\n",
  "content/pages/offer/hero.image.src.txt": "https://mugs.example/mug.png\n",
};

/** Data files that a document shows: a block of text below a line that has only the name. */
function shownFiles(file: string): Record<string, string> {
  const found = (texts.get(file) ?? "").matchAll(/^`([\w./-]+)`:\n\n```text\n([\s\S]*?)^```$/gm);
  return Object.fromEntries([...found].map(([, name = "", text = ""]) => [name, text]));
}

/** The sections that a part may need. */
const REST: Readonly<Record<string, string>> = {
  landform: "landform: 1\n",
  projects: `projects:\n  demo: &project { description: ${"A project. ".repeat(6)}, context: ${"A brief. ".repeat(30)} }\n  spring: *project\n`,
  sites: "sites:\n  main: { name: spring.example }\n  demo-example: { name: demo.example }\n",
  pages:
    "pages:\n  offer: { publish: { site: main, slug: offer } }\n  thanks: { publish: { site: main, slug: thanks } }\n",
};

function wholeOf({ file, text }: Piece): string {
  if (!texts.get(file)?.includes(`<!-- part -->\n\n\`\`\`yaml\n${text}`)) return text;
  const isOfAnEntry = text.startsWith("content:");
  const missing = Object.entries(REST).filter(([section]) => !new RegExp(`^${section}:`, "m").test(text));
  const rest = missing.map(([, lines]) => lines).join("");
  return isOfAnEntry ? `${rest}  part:\n${text.replaceAll(/^(?=.)/gm, "    ")}` : rest + text;
}

test("TypeScript compiles with the package's types, and its pages fill their templates", () => {
  const programs = of("ts").map((piece, index) => {
    const path = join(root, `${index}.ts`);
    writeFileSync(path, piece.text);
    return { path, piece };
  });
  const ofPages = of("ts").flatMap((piece) =>
    [...piece.text.matchAll(/new landform\.(?:Page|Quiz)\([^]*?\n *}\);/g)].map(([page]) => ({ piece, page })),
  );
  const unfilled = ofPages.flatMap(({ piece, page }) => {
    const { variables = {} } = TEMPLATES.get(/templateId: "([\w-]+)"/.exec(page)?.[1] ?? "") ?? {};
    const given = /variables: {(.*?)}/.exec(page)?.[1] ?? "";
    return Object.keys(variables)
      .filter((name) => !given.includes(name))
      .map((name) => `${placeOf(piece)}: ${name}`);
  });
  expect(unfilled).toEqual([]);
  writeFileSync(join(root, "package.json"), '{ "type": "module" }');
  const { config } = ts.readConfigFile(join(repository, "tsconfig.json"), (path) => ts.sys.readFile(path)) as {
    config: object;
  };
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [] }, ts.sys, repository);
  const program = ts.createProgram(
    programs.map(({ path }) => path),
    { ...options, noUncheckedIndexedAccess: false },
  );
  const found = ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
    const at = programs.find(({ path }) => path === file?.fileName);
    const line = file === undefined || start === undefined ? 0 : file.getLineAndCharacterOfPosition(start).line + 1;
    const place = at === undefined ? file?.fileName : `${at.piece.file}:${at.piece.line + line}`;
    return `${place}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
  });
  expect(found).toEqual([]);
});

/** Other commands that the documents name, and the reason why nothing parses them here. */
const OTHERS: Readonly<Record<string, string>> = {
  npx: "another package's; test/browser has its browser",
  npm: "npm's own; test/package installs the package",
  pulumi: "Pulumi's own; test/pulumi runs them",
  kubectl: "Kubernetes's own; test/docs/reconciliation.test.ts reads them",
  node: "a program of the example or of the repository",
  git: "git's own",
  cd: "the shell's own",
  export: "the shell's own",
};

describe("commands", () => {
  const lines = [
    ...of("sh").flatMap((piece) => linesOf(piece.text).map((line) => [placeOf(piece), line] as const)),
    ...of("text").flatMap((piece) =>
      [...piece.text.matchAll(/^\$ (.*)$/gm)].map(([, line = ""]) => [placeOf(piece), line] as const),
    ),
    ...[...texts].flatMap(([file, text]) => inlineIn(text).map((line) => [file, line] as const)),
  ];
  const own = lines.filter(([, line]) => /(^|[^\w./-])(npx )?landform [a-z]/.test(line));
  const others = lines.filter((line) => !own.includes(line));

  test(`${others.length} of ${lines.length} commands are those of others`, () => {
    expect(others.filter(([, line]) => !((/^(?:[A-Z_]+=\S* )*(\w+)/.exec(line)?.[1] ?? "") in OTHERS))).toEqual([]);
  });

  test("each command of Landform parses", async () => {
    expect(own.length).toBeGreaterThan(150);
    const refused: string[] = [];
    // The pages repeat many lines.
    for (const [line, place] of new Map(own.map(([place, line]) => [line, place]))) {
      const why = await refusalOf(wordsOf(line.replace(/^.*?(?:npx )?landform (?=[a-z])/, "")));
      if (why !== undefined) refused.push(`${place}: ${line}: ${why}`);
    }
    expect(refused).toEqual([]);
  });
});

function linesOf(text: string): string[] {
  return text.split("\n").flatMap((line) => line.replace(/(?:^| +)#.*/, "") || []);
}

/** Commands within sentences. */
function inlineIn(text: string): string[] {
  const spans = [...withoutBlocks(text).matchAll(/`((?:npx )?landform [a-z][^`]*)`/g)].map(([, span = ""]) => span);
  return spans.map((span) => span.replaceAll(/\s+/g, " "));
}

/** The words of the command, up to the end of its part of the shell's line. Each variable is the hash of a commit. */
function wordsOf(line: string): string[] {
  const [command = ""] = line.replaceAll(/\$(?:[A-Z]+|\(git [^)]*\))/g, "0".repeat(40)).split(/[|>)]| && /);
  return [...command.matchAll(/"[^"]*"|'[^']*'|\S+/g)].map(([word]) => word.replaceAll(/^["']|["']$/g, ""));
}

/** Returns the reason why the program refuses the words. Nothing is carried out. */
async function refusalOf(words: readonly string[]): Promise<string | undefined> {
  if (words[0] === "help") return undefined;
  // A command keeps the values that it has read.
  const program = await createProgram(commands.filter((entry) => nameOf(entry) === words[0]));
  const command = calledIn(program, words);
  if (command === undefined) return program.commands.some((one) => one.name() === words[0]) ? undefined : "unknown";
  const called: string[] = [];
  command.action(() => void called.push(command.name()));
  program.configureOutput({ writeErr: () => undefined });
  for (let one: typeof command | null = command; one !== null; one = one.parent)
    one.exitOverride().configureOutput({ writeErr: () => undefined });
  try {
    await program.parseAsync(words, { from: "user" });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return called.length === 1 ? undefined : "it calls nothing";
}
