/** Reads the file of `--faults`, and reports the places of its errors. */
import { readFileSync } from "node:fs";
import { Ajv, type ErrorObject } from "ajv";
import { LineCounter, parseDocument } from "yaml";
import { type Fault, listFaults, phases } from "./fault-names.ts";

/** A faults file that can't be used. Each problem starts with file:line:column. */
export class FaultFileError extends Error {
  readonly problems: string[];

  constructor(problems: string[]) {
    super(problems.join("\n"));
    this.name = "FaultFileError";
    this.problems = problems;
  }
}

/** The fields of a fault with their meaning. The reference is made from this. */
export const faultSchema = {
  type: "object",
  required: ["phase"],
  additionalProperties: false,
  properties: {
    method: { enum: ["GET", "POST", "PATCH", "DELETE"], description: "Only calls of this method." },
    path: {
      type: "string",
      pattern: "^/",
      description:
        "Only calls of this path below the base address: a template such as `/pages/{pageId}`, or a whole path.",
    },
    scope: { type: "string", description: "Only calls that a key may make with this scope, such as `pages:write`." },
    phase: {
      enum: phases,
      description:
        "The way in which the call fails:\n" +
        "  - `before`: the emulator closes the connection and does nothing.\n" +
        "  - `after`: it carries out the call, and closes the connection without an answer.\n" +
        "  - `reset`: it resets the connection before the call, or with `commit` after it.\n" +
        "  - `truncate`: it carries out the call, and the answer breaks off in the middle.\n" +
        "  - `html`: it answers with an HTML page.\n" +
        "  - `slow`: it carries out the call at once, and answers after `delayMs`.\n" +
        "  - `status`: it answers with `status` and a JSON error.\n" +
        "  - `altered`: it carries out the call, and changes the answer by the last fields of this list.",
    },
    status: {
      type: "integer",
      minimum: 200,
      maximum: 599,
      description: "For `html` (default: 200) and `status` (default: 500).",
    },
    retryAfter: { type: "string", description: "The header Retry-After, of `html` and `status`." },
    headers: {
      type: "object",
      additionalProperties: { type: "string" },
      description: "Further headers, of `html` and `status`, such as `Location`.",
    },
    delayMs: { type: "number", minimum: 0, description: "For `slow`. Default: 1000." },
    commit: {
      type: "boolean",
      description: "For `html`, `status` and `reset`: the emulator carries out the call all the same.",
    },
    times: {
      type: ["integer", "null"],
      minimum: 1,
      description: "How many calls fail. Default: 1. `null`: all.",
    },
    skip: { type: "integer", minimum: 0, description: "How many matching calls pass first. Default: 0." },
    contentType: { type: "string", description: "`altered`: sent under this Content-Type." },
    empty: { type: "boolean", description: "`altered`: without a body." },
    omit: { type: "array", items: { type: "string" }, description: "`altered`: without these fields, such as `id`." },
    set: { type: "object", description: '`altered`: with these fields, such as `{"created_at": null}`.' },
    padTo: {
      type: "integer",
      minimum: 1,
      description: "`altered`: with a field that fills the body up to so many bytes.",
    },
    bytesPerSecond: { type: "integer", minimum: 1, description: "`altered`: sent no faster than that." },
    list: {
      enum: listFaults,
      description:
        "`altered`, for a list. `empty`: no records. `shifted`: each page but the first lacks a record, as if it had moved to " +
        "the page before. `endless`: a full page of new records follows each page.",
    },
  },
} as const;

const fileSchema = { type: "array", items: faultSchema };

/** Refuses a misspelt field of a program's fault: the fault would strike in another way, or never. */
export function refuseUnknown(fault: Fault): void {
  const names = Object.keys(faultSchema.properties);
  const unknown = Object.keys(fault).filter((name) => !names.includes(name));
  if (unknown.length > 0)
    throw new TypeError(
      `a fault has no ${unknown.map((name) => `"${name}"`).join(", ")}: it takes ${names.join(", ")}`,
    );
  if (!phases.includes(fault.phase))
    throw new TypeError(`a fault's phase is one of ${phases.join(", ")}, and not ${JSON.stringify(fault.phase)}`);
}

/** Reads a JSON file with an array of faults. */
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
  const validate = ajv.compile<Fault[]>(fileSchema);
  if (!validate(faults)) {
    throw new FaultFileError(
      (validate.errors ?? []).map((error) => `${place(offsetOf(document, error))}: ${explain(error)}`),
    );
  }
  return faults;
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
    return `${where} has the unknown field "${name}"; known are ${Object.keys(faultSchema.properties).join(", ")}`;
  }
  return `${where} ${message ?? "is not a fault"}`;
}
