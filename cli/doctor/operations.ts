/** Compares the service's openapi.json with schema/api.yaml, for the calls that Landform makes. Pure. */
import { operations, type Operation } from "../../provider/api/index.ts";

interface Comparison {
  needed: number;
  /** For example `GET /pages/{pageId}`. */
  missing: string[];
  /** Operations that differ from schema/api.yaml, one sentence each. */
  different: string[];
}

type Doc = Record<string, unknown>;

const METHODS = ["get", "put", "post", "delete", "patch"];

/** `prefix`: the start of the live document's paths, if they contain the base address's path. */
export function compareOperations(live: Doc, known: Doc, prefix: string): Comparison {
  const [there, ours] = [new Api(live, prefix), new Api(known, "")];
  const needed = Object.values(operations).filter((operation: Operation) => !operation.unlisted);
  const missing: string[] = [];
  const different: string[] = [];
  for (const { method, path } of needed) {
    const name = `${method} ${path}`;
    const found = there.operation(method, path);
    const expected = ours.operation(method, path);
    const methods = there.methods(path);
    if (found === undefined && methods.length > 0) different.push(`${name}: only ${methods.join(", ")} is there`);
    else if (found === undefined) missing.push(name);
    else if (expected !== undefined) {
      const changes = [...parameterChanges(found, expected), ...bodyChanges(found, expected)];
      if (changes.length > 0) different.push(`${name}: ${changes.join("; ")}`);
    }
  }
  return { needed: needed.length, missing, different };
}

/** By name, true if the entry is required. */
type Names = Map<string, boolean>;

interface Shape {
  parameters: Names;
  /** Undefined if the operation takes no JSON. */
  body: Names | undefined;
}

function parameterChanges(live: Shape, known: Shape): string[] {
  const asks = [...live.parameters].filter(([name, required]) => required && known.parameters.get(name) !== true);
  const lacks = [...known.parameters.keys()].filter((name) => !live.parameters.has(name));
  return [
    ...asks.map(([name]) => `it asks for the parameter ${name}`),
    ...lacks.map((name) => `it has no parameter ${name}`),
  ];
}

function bodyChanges(live: Shape, known: Shape): string[] {
  if (known.body === undefined) return live.body === undefined ? [] : required(live.body);
  if (live.body === undefined) return ["it takes no JSON"];
  const asks = required(live.body, known.body);
  // A document that doesn't list the fields tells nothing about them.
  const lacks = live.body.size === 0 ? [] : [...known.body.keys()].filter((name) => live.body?.has(name) !== true);
  return [...asks, ...lacks.map((name) => `it has no field ${name}`)];
}

function required(live: Names, known: Names = new Map()): string[] {
  const asks = [...live].filter(([name, needed]) => needed && known.get(name) !== true);
  return asks.map(([name]) => `it asks for the field ${name}`);
}

class Api {
  readonly #document: Doc;
  /** By path, without the names of its parameters. */
  readonly #paths: Map<string, Doc>;

  constructor(document: Doc, prefix: string) {
    this.#document = document;
    const paths = Object.entries(mapOf(document["paths"]));
    this.#paths = new Map(paths.map(([path, item]) => [anonymous(path, prefix), this.#resolve(item)]));
  }

  methods(path: string): string[] {
    const item = this.#paths.get(anonymous(path, ""));
    return METHODS.filter((method) => item?.[method] !== undefined).map((method) => method.toUpperCase());
  }

  operation(method: string, path: string): Shape | undefined {
    const item = this.#paths.get(anonymous(path, ""));
    if (item?.[method.toLowerCase()] === undefined) return undefined;
    const operation = this.#resolve(item[method.toLowerCase()]);
    const listed = [...listOf(item["parameters"]), ...listOf(operation["parameters"])].map((one) => this.#resolve(one));
    const queried = listed.filter((parameter) => parameter["in"] === "query");
    return {
      parameters: new Map(queried.map((parameter) => [String(parameter["name"]), parameter["required"] === true])),
      body: this.#body(this.#resolve(operation["requestBody"])),
    };
  }

  #body(body: Doc): Names | undefined {
    const [, media] = Object.entries(mapOf(body["content"])).find(([type]) => /[/+]json\b/.test(type)) ?? [];
    return media === undefined ? undefined : this.#fields(mapOf(media)["schema"], 0);
  }

  #fields(schema: unknown, depth: number): Names {
    const { properties, required: needed, allOf, oneOf, anyOf } = this.#resolve(schema);
    const names: Names = new Map(Object.keys(mapOf(properties)).map((name) => [name, false]));
    for (const name of listOf(needed)) names.set(String(name), true);
    if (depth > DEEPEST) return names;
    for (const part of listOf(allOf)) {
      for (const [name, must] of this.#fields(part, depth + 1)) names.set(name, must || names.get(name) === true);
    }
    // A field that only one of several forms requires is optional.
    for (const part of [...listOf(oneOf), ...listOf(anyOf)]) {
      for (const name of this.#fields(part, depth + 1).keys()) if (!names.has(name)) names.set(name, false);
    }
    return names;
  }

  #resolve(value: unknown): Doc {
    let current = mapOf(value);
    for (let depth = 0; depth < DEEPEST && typeof current["$ref"] === "string"; depth++) {
      const steps = current["$ref"].replace(/^#\//, "").split("/");
      const names = steps.map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
      current = names.reduce((inner, name) => mapOf(inner[name]), this.#document);
    }
    return current;
  }
}

const DEEPEST = 8;

function mapOf(value: unknown): Doc {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Doc) : {};
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function anonymous(path: string, prefix: string): string {
  const inside = prefix !== "" && path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path;
  return inside.replace(/\{[^}]*\}/g, "{}");
}
