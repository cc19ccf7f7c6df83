import { readFileSync } from "node:fs";
import { Ajv, type ErrorObject } from "ajv";
import { LineCounter, parseDocument } from "yaml";

/** Something that goes wrong with a call, on purpose. */
export interface Fault {
  /** HTTP method; any, unless given. */
  method?: string;
  /** Path below the base address: a template such as `/pages/{pageId}`, or a path itself; any, unless given. */
  path?: string;
  /**
   * `before`: the connection is cut before anything is committed. `after`: committed, then the connection is cut without
   * an answer. `truncate`: committed, the answer is cut in the middle. `html`: an HTML page instead of the answer.
   * `slow`: answers after `delayMs`. `status`: answers `status` with a JSON error.
   */
  phase: (typeof phases)[number];
  /** Of `html` (200) and `status` (500). */
  status?: number;
  /** Value of the header Retry-After. */
  retryAfter?: string;
  delayMs?: number;
  /** `html` and `status` only: the call is carried out nevertheless. */
  commit?: boolean;
  /** How many calls it strikes (1); Infinity allowed, in a file `null`. */
  times?: number;
  /** How many matching calls it lets through first (0). */
  skip?: number;
}

const phases = ["before", "after", "truncate", "html", "slow", "status"] as const;

interface Armed {
  fault: Fault;
  skip: number;
  left: number;
}

export class Faults {
  #armed: Armed[] = [];

  add(fault: Fault): void {
    this.#armed.push({ fault, skip: fault.skip ?? 0, left: fault.times ?? 1 });
  }

  clear(): void {
    this.#armed = [];
  }

  /** The fault that strikes this call: the first that matches and has let enough calls through. */
  take(method: string, route: string, path: string): Fault | undefined {
    for (const armed of this.#armed.filter(({ fault }) => matchesCall(fault, method, route, path))) {
      if (armed.skip > 0) armed.skip--;
      else if (armed.left > 0) {
        armed.left--;
        return armed.fault;
      }
    }
    return undefined;
  }
}

function matchesCall(fault: Fault, method: string, route: string, path: string): boolean {
  const methodMatches = fault.method === undefined || fault.method.toUpperCase() === method;
  return methodMatches && (fault.path === undefined || fault.path === route || fault.path === path);
}

/** A faults file that can't be used; each problem starts with file:line:column. */
export class FaultFileError extends Error {
  readonly problems: string[];

  constructor(problems: string[]) {
    super(problems.join("\n"));
    this.name = "FaultFileError";
    this.problems = problems;
  }
}

const fileSchema = {
  type: "array",
  items: {
    type: "object",
    required: ["phase"],
    additionalProperties: false,
    properties: {
      method: { enum: ["GET", "POST", "PATCH", "DELETE"] },
      path: { type: "string", pattern: "^/" },
      phase: { enum: phases },
      status: { type: "integer", minimum: 200, maximum: 599 },
      retryAfter: { type: "string" },
      delayMs: { type: "number", minimum: 0 },
      commit: { type: "boolean" },
      times: { type: ["integer", "null"], minimum: 1 },
      skip: { type: "integer", minimum: 0 },
    },
  },
};

type FaultInFile = Omit<Fault, "times"> & { times?: number | null };

/** Reads a JSON file with an array of faults; `times: null` stands for always. */
export function loadFaults(file: string): Fault[] {
  const lines = new LineCounter();
  const document = parseDocument(readFileSync(file, "utf8"), { lineCounter: lines });
  const place = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${line}:${col}`;
  };
  if (document.errors.length > 0) {
    throw new FaultFileError(
      document.errors.map(
        ({ pos, message }) => `${place(pos[0])}: ${message.replace(/ at line \d+, column \d+:[^]*/, "")}`,
      ),
    );
  }
  const faults: unknown = document.toJS();
  const ajv = new Ajv({ allErrors: true, allowUnionTypes: true });
  const validate = ajv.compile<FaultInFile[]>(fileSchema);
  if (!validate(faults)) {
    throw new FaultFileError(
      (validate.errors ?? []).map((error) => `${place(offsetOf(document, error))}: ${explain(error)}`),
    );
  }
  return faults.map(({ times, ...fault }) => (times === undefined ? fault : { ...fault, times: times ?? Infinity }));
}

function offsetOf(document: ReturnType<typeof parseDocument>, error: ErrorObject): number {
  const path = error.instancePath.split("/").slice(1);
  const node: unknown = path.length === 0 ? document.contents : document.getIn(path, true);
  return (node as { range?: [number, number, number] } | null | undefined)?.range?.[0] ?? 0;
}

function explain({ instancePath, keyword, message, params }: ErrorObject): string {
  const where = instancePath === "" ? "the file" : instancePath.slice(1).replaceAll("/", ".");
  if (keyword === "enum") {
    return `${where} must be one of ${(params as { allowedValues: string[] }).allowedValues.join(", ")}`;
  }
  if (keyword === "additionalProperties") {
    const name = (params as { additionalProperty: string }).additionalProperty;
    return `${where} has the unknown field "${name}"; known are ${Object.keys(fileSchema.items.properties).join(", ")}`;
  }
  return `${where} ${message ?? "is not a fault"}`;
}
