/**
 * Parses YAML with positions. It refuses YAML that a manifest may not use (several documents, tags, YAML 1.1, keys that are not text) together with
 * syntax errors, so later code sees only sound documents.
 */
import { isAlias, isMap, isScalar, parseDocument, visit } from "yaml";
import type { Alias, Document, Node, Pair, YAMLError, YAMLMap } from "yaml";
import { didYouMean } from "../../provider/values/nearest.ts";
import { type Diagnostics, tellRepeated } from "./diagnostics.ts";
import { lineEnd, type Place, type SourceFile } from "./file.ts";
import { lineAt, misindented, unquotedHint } from "./mistakes.ts";

export interface Parsed {
  readonly file: SourceFile;
  readonly document: Document.Parsed;
  /** The node of each alias: the last anchor of its name before it. */
  readonly targets: ReadonlyMap<Alias, Node>;
  readonly nodeCount: number;
}

export function parse(file: SourceFile, diagnostics: Diagnostics): Parsed | undefined {
  const document = documentOf(file, diagnostics);
  if (!document) return undefined;
  const before = diagnostics.list().length;
  const open = unclosedQuote(document);
  const misplaced = open || document.errors.length === 0 ? undefined : misindented(file);
  if (open) {
    const { start } = placeOf(file, open);
    const place = { file, start, end: lineEnd(file.text, start) };
    diagnostics.error("syntax", place, "the quote that opens here is never closed");
  } else if (misplaced) diagnostics.error("syntax", misplaced.place, misplaced.message, { hint: misplaced.hint });
  else for (const error of causesIn(document)) tell(file, error, diagnostics);
  for (const warning of document.warnings) tell(file, warning, diagnostics);
  if (document.directives.yaml.explicit && document.directives.yaml.version !== "1.2") {
    diagnostics.error("syntax", file.whole, "Landform does not read YAML 1.1", { hint: "Remove the %YAML directive." });
  }
  // The parser guesses around a syntax error, so the rest of the document can't be trusted.
  if (document.errors.length > 0) return undefined;
  const survey = surveyOf(file, document, diagnostics);
  return diagnostics.list().length === before ? { file, document, ...survey } : undefined;
}

function documentOf(file: SourceFile, diagnostics: Diagnostics): Document.Parsed | undefined {
  try {
    return parseDocument(file.text, {
      uniqueKeys: false,
      prettyErrors: false,
      logLevel: "error",
      resolveKnownTags: false,
    });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    diagnostics.error("nested-too-deep", file.whole, "the values of this file are nested too deep to be read");
    return undefined;
  }
}

/** Returns the errors that explain something. After a syntax error the parser reports every sign that follows. */
function causesIn({ errors }: Document.Parsed): YAMLError[] {
  const [first, ...others] = [...errors].sort((a, b) => a.pos[0] - b.pos[0]);
  return first === undefined ? [] : [first, ...others.filter(({ code }) => EXPLANATIONS[code] !== undefined)];
}

/** Finds a quote within quotes of the same kind: `"${each["City name"]}"`. */
function quotingHint(file: SourceFile, at: number): string | undefined {
  return /"[^"]*\$\{[\w.]*\["/.test(lineAt(file, at))
    ? `The text ends at the quote within it. Put it into single quotes: '\${each["a name"]}'.`
    : undefined;
}

const EXPLANATIONS: Partial<Record<YAMLError["code"], [message: string, hint: string]>> = {
  TAB_AS_INDENT: ["a tab can't indent YAML", "Use spaces."],
  MULTIPLE_DOCS: [
    "a second document begins here, and Landform reads only one",
    "Remove the line ---, or move what follows to a file of its own and name it under include.",
  ],
  BLOCK_AS_IMPLICIT_KEY: [
    "a second key begins on the same line",
    'Quote a value that holds ": ", or begin a new line.',
  ],
  RESOURCE_EXHAUSTION: ["values are nested too deep to be read", "Write them flatter, or in a file of their own."],
  TAG_RESOLVE_FAILED: [
    "Landform reads no YAML tags",
    "Put a text that begins with ! in quotes. Remove a tag; a value can be { file: }, { env: } or { config: }.",
  ],
};

function tell(file: SourceFile, error: YAMLError, diagnostics: Diagnostics): void {
  const [message, hint] = EXPLANATIONS[error.code] ?? [
    error.message,
    quotingHint(file, error.pos[0]) ?? unquotedHint(file, error.pos[0]),
  ];
  const [start, stop] = error.pos;
  // An error that spans several lines is shown by the first one.
  const place = { file, start, end: Math.max(start + 1, Math.min(stop, lineEnd(file.text, start))) };
  diagnostics.error(error.code === "RESOURCE_EXHAUSTION" ? "nested-too-deep" : "syntax", place, message, { hint });
}

/** Returns the text whose closing quote is missing. It runs to the end of the file and causes all other errors. */
function unclosedQuote({ errors, contents }: Document.Parsed): Node | undefined {
  const fault = errors.find(({ code, message }) => code === "MISSING_CHAR" && message.includes("quote"));
  let found: Node | undefined;
  if (fault && contents) {
    visit(contents, {
      Scalar: (_key, node) => {
        if (node.type?.startsWith("QUOTE_") && (node.range?.[1] ?? 0) >= fault.pos[0]) found = node;
      },
    });
  }
  return found;
}

interface Home {
  readonly file: SourceFile;
  readonly targets: ReadonlyMap<Alias, Node>;
}

const homes = new WeakMap<Node, Home>();

/** Returns the file of a node: several files may make one entry. */
export function homeOf(node: Node): Home | undefined {
  return homes.get(node);
}

function surveyOf(
  file: SourceFile,
  document: Document.Parsed,
  diagnostics: Diagnostics,
): Pick<Parsed, "targets" | "nodeCount"> {
  const anchors = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  let nodeCount = 0;
  visit(document, {
    Node: (_key, node, ancestors) => {
      nodeCount++;
      homes.set(node, { file, targets });
      if (isAlias(node)) resolve(node, ancestors);
      else if (node.anchor !== undefined) anchors.set(node.anchor, node);
      if (isMap(node)) checkKeys(file, node, diagnostics);
    },
  });
  return { targets, nodeCount };

  function resolve(alias: Alias, ancestors: readonly unknown[]): void {
    const { source } = alias;
    const target = anchors.get(source);
    if (target && !ancestors.includes(target)) {
      targets.set(alias, target);
      return;
    }
    const what = target
      ? `*${source} refers to the value that contains it`
      : `*${source} has no anchor before it${didYouMean(source, anchors.keys())}`;
    const hint = "An anchor (&name) works only in its own file. Put a text that begins with * in quotes.";
    diagnostics.error("alias", placeOf(file, alias), what, { hint });
  }
}

function checkKeys(file: SourceFile, map: YAMLMap, diagnostics: Diagnostics): void {
  const first = new Map<string, Place>();
  for (const pair of map.items) {
    const key = keyText(pair);
    const place = placeOf(file, pair.key as Node | null, map);
    const earlier = first.get(key ?? "");
    const tell = (message: string, hint: string): void => diagnostics.error("text-key", place, message, { hint });
    if (key === undefined) tell("a key has to be a text, and not empty", 'Quote text that begins with {{: "{{name}}".');
    else if (key === "__proto__") tell("a key named __proto__ can't be stored", "Choose another name.");
    else if (earlier) tellRepeated(diagnostics, key, place, earlier);
    else if (!isMerge(pair)) first.set(key, place);
  }
}

/** Returns the text of a key; undefined for a map, a list or nothing. */
export function keyText({ key }: Pair): string | undefined {
  if (!isScalar(key) || key.value === null || key.value === "") return undefined;
  return typeof key.value === "string" ? key.value : (key.source ?? JSON.stringify(key.value));
}

export function isMerge({ key }: Pair): boolean {
  return isScalar(key) && key.value === "<<" && key.type === "PLAIN";
}

/** Returns the place of a node, or of the node around a missing one. A map or list is shown by its first line. */
export function placeOf(file: SourceFile, node: Node | null | undefined, around?: Node): Place {
  const range = node?.range ?? around?.range;
  return range ? { file, start: range[0], end: range[1] } : file.whole;
}

export function locate({ file, start }: Place): string {
  return file.locate(start);
}
