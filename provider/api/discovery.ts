/**
 * Finds the operations whose paths the specification does not show. It reads the service's own /openapi.json, by operation id first and by
 * the shape of method, path and parameters second. Pure; the caller hands in the document.
 */
import { type Method, type Operation, type OperationName, operations } from "./operations.ts";
import type { Target } from "./calls.ts";

type Json = Readonly<Record<string, unknown>>;

interface Candidate {
  readonly method: Method;
  readonly path: string;
  readonly operationId: string;
  /** Words of the path and the operation id, in lower case and singular. */
  readonly words: ReadonlySet<string>;
  readonly parameters: readonly { readonly name: string; readonly place: "path" | "query" | "body" }[];
}

interface Wanted {
  readonly methods: readonly Method[];
  readonly operationIds: RegExp;
  /** One word of each list must be there. */
  readonly words: readonly (readonly string[])[];
  readonly without: readonly string[];
  /** The id that the operation takes, as our template names it. */
  readonly id?: string;
}

const searchWords = ["search", "find", "lookup"];
const removeWords = ["delete", "remove", "destroy"];

const wanted: Partial<Record<OperationName, Wanted>> = {
  getProduct: {
    methods: ["GET"],
    operationIds: /^(read|get|fetch|retrieve|find|show)(a|one|single)?product(byid)?$|^products?(read|get|show|byid)$/,
    words: [["product"]],
    without: [...searchWords, "list", "count"],
    id: "productId",
  },
  deleteProduct: {
    methods: ["DELETE", "POST"],
    operationIds: /^(delete|remove|destroy)(a|one|single)?product(byid)?$|^products?(delete|remove|destroy)$/,
    words: [["product"], removeWords],
    without: [],
    id: "productId",
  },
  searchPages: {
    methods: ["GET"],
    operationIds: /^(search|find|lookup)pages?$|^pages?search$/,
    words: [["page"], searchWords],
    without: ["template", "content", "quiz"],
  },
  searchTemplates: {
    methods: ["GET"],
    operationIds: /^(search|find|lookup)(page)?templates?$|^templates?search$/,
    words: [["template"], searchWords],
    without: [],
  },
  getAccountCounts: {
    methods: ["GET"],
    operationIds: /^(read|get|fetch|retrieve|show)?(account|analytics)*(counts?|stats|totals)$|^(read|get)analytics$/,
    words: [["count", "analytic", "stat", "statistic", "total"]],
    without: [],
  },
};

/** Returns the place that the document gives for the operation; undefined if it gives none. */
export function findOperation(name: OperationName, document: Json, prefix: string): Target | undefined {
  const sought = wanted[name];
  if (sought === undefined) return undefined;
  const candidates = readCandidates(document, prefix)
    .filter((candidate) => sought.methods.includes(candidate.method) && takesId(candidate, sought.id))
    .sort((a, b) => a.path.split("/").length - b.path.split("/").length);
  const found =
    candidates.find(({ operationId }) => sought.operationIds.test(squeeze(operationId))) ??
    candidates.find((candidate) => hasShape(candidate, sought));
  return found && targetOf(found, sought.id);
}

function hasShape({ method, words }: Candidate, sought: Wanted): boolean {
  const all = method === "DELETE" ? new Set([...words, "delete"]) : words;
  return (
    sought.words.every((choices) => choices.some((word) => all.has(word))) &&
    !sought.without.some((word) => all.has(word))
  );
}

function targetOf({ method, path, parameters }: Candidate, id: string | undefined): Target {
  if (id === undefined) return { method, path };
  const parameter = idParameter({ parameters }, id);
  if (parameter === undefined || parameter.place === "path") {
    return { method, path: path.replace(/\{[^}]*\}/, `{${id}}`) };
  }
  return { method, path, idsIn: { place: parameter.place, names: { [id]: parameter.name } } };
}

function takesId(candidate: Candidate, id: string | undefined): boolean {
  if (id === undefined) return !candidate.path.includes("{");
  return idParameter(candidate, id) !== undefined;
}

/** Returns the only path parameter whatever its name is, or else a parameter whose name says that it is the id. */
function idParameter({ parameters }: Pick<Candidate, "parameters">, id: string) {
  const inPath = parameters.filter(({ place }) => place === "path");
  if (inPath.length > 0) return inPath.length === 1 ? inPath[0] : undefined;
  return parameters.find(({ name }) => squeeze(name) === squeeze(id)) ?? parameters.find(({ name }) => name === "id");
}

function readCandidates(document: Json, prefix: string): Candidate[] {
  const listed = new Set(
    Object.values(operations).flatMap((operation: Operation) =>
      operation.unlisted ? [] : [signature(operation.method, operation.path)],
    ),
  );
  return Object.entries(asRecord(document.paths)).flatMap(([fullPath, entry]) => {
    const item = resolve(document, entry);
    // A path has neither. With one of them the id would not be part of the requested path.
    if (/[?#]/.test(fullPath)) return [];
    const path = fullPath.startsWith(`${prefix}/`) ? fullPath.slice(prefix.length) : fullPath;
    return (["GET", "POST", "PATCH", "DELETE"] as const).flatMap((method) => {
      const operation = item[method.toLowerCase()];
      if (operation === undefined || listed.has(signature(method, path))) return [];
      return [readCandidate(document, method, path, item, asRecord(operation))];
    });
  });
}

function readCandidate(document: Json, method: Method, path: string, item: Json, operation: Json): Candidate {
  const operationId = typeof operation.operationId === "string" ? operation.operationId : "";
  const inPath = [...path.matchAll(/\{([^}]*)\}/g)].map(([, name = ""]) => ({ name, place: "path" as const }));
  const declared = [...asArray(item.parameters), ...asArray(operation.parameters)].flatMap((entry) => {
    const parameter = resolve(document, entry);
    return parameter.in === "query" && typeof parameter.name === "string"
      ? [{ name: parameter.name, place: "query" as const }]
      : [];
  });
  const content = asRecord(resolve(document, operation.requestBody).content);
  const schema = resolve(document, asRecord(content["application/json"]).schema);
  const inBody = Object.keys(asRecord(schema.properties)).map((name) => ({ name, place: "body" as const }));
  const words = wordsOf(`${path.replace(/\{[^}]*\}/g, "")} ${operationId}`);
  return { method, path, operationId, words, parameters: [...inPath, ...declared, ...inBody] };
}

function wordsOf(text: string): Set<string> {
  const words = text
    .replace(/(?<=[a-z0-9])(?=[A-Z])/g, " ")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return new Set(words.map((word) => word.replace(/s$/, "")));
}

const squeeze = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, "");
const signature = (method: Method, path: string): string => `${method} ${path.replace(/\{[^}]*\}/g, "{}")}`;

function resolve(document: Json, value: unknown): Json {
  const record = asRecord(value);
  if (typeof record.$ref !== "string" || !record.$ref.startsWith("#/")) return record;
  return record.$ref
    .slice(2)
    .split("/")
    .reduce<Json>((at, step) => asRecord(at[step.replaceAll("~1", "/").replaceAll("~0", "~")]), document);
}

const isRecord = (value: unknown): value is Json => typeof value === "object" && value !== null;
const asRecord = (value: unknown): Json => (isRecord(value) ? value : {});
const asArray = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** The place of an operation. The specification tells most of them, and the service's own /openapi.json tells the others. */
interface Location {
  readonly target: Target;
  /** Set if the path is a guess from the service's other paths: the reason why no better path is known. */
  readonly guess?: string;
}

type Locate = (name: OperationName) => Location | Promise<Location>;

/** Calls `readDocument` once at most, and only when an operation needs it. Its result holds for the whole run. */
export function createLocator(readDocument: () => Promise<Record<string, unknown>>, prefix: string): Locate {
  let reading: Promise<Record<string, unknown> | undefined> | undefined;

  async function search(name: OperationName, target: Target): Promise<Location> {
    reading ??= readDocument().catch(() => undefined);
    const document = await reading;
    const found = document && findOperation(name, document, prefix);
    if (found !== undefined) return { target: found };
    return { target, guess: document === undefined ? "could not be read" : "does not list it" };
  }

  return (name) => {
    const { unlisted, method, path }: Operation = operations[name];
    return unlisted ? search(name, { method, path }) : { target: { method, path } };
  };
}
