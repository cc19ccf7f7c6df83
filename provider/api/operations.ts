/**
 * The operations of the service, as schema/api.yaml describes them. `effect` says which calls may be sent again. `read` changes nothing.
 * `idempotent`: the second call leaves what the first one left. Publishing is by content, and only announces page.published once more.
 * Replaced variables are gone, so the counts of a repeated call may be 0. A repeated delete answers "not found". `create` makes something new
 * on every call, and is never sent again once it may have reached the service.
 *
 * Five operations have no path in the specification: their `path` follows the service's other paths, and discovery.ts asks the service's
 * own /openapi.json first.
 */
import { described } from "./generated/operations.ts";

export type Method = "GET" | "POST" | "PATCH" | "DELETE";
export type Effect = "read" | "idempotent" | "create";

export interface Operation {
  readonly method: Method;
  /** Below the base URL, with `{name}` for ids. */
  readonly path: string;
  /** Any one of them allows the call; empty: no key needed. */
  readonly scopes: readonly string[];
  readonly effect: Effect;
  /** It answers with a list, which may be empty. */
  readonly lists: boolean;
  /** The ids that its body has to hold. They say which object it is about. */
  readonly names?: readonly string[];
  /** True when the specification does not show the path. */
  readonly unlisted?: true;
}

export type OperationName = keyof typeof described;

/** The effects that the method alone doesn't tell. Every other POST creates. */
const effects: Partial<Record<OperationName, Effect>> = {
  validatePage: "read",
  publishPage: "idempotent",
  replacePageVariables: "idempotent",
};

export const operations = Object.fromEntries(
  Object.entries<Omit<Operation, "effect" | "lists">>(described).map(([name, operation]) => {
    const effect = effects[name as OperationName] ?? effectOf(operation.method);
    return [name, { ...operation, effect, lists: /^(list|search)/.test(name) }];
  }),
) as unknown as Readonly<Record<OperationName, Operation>>;

function effectOf(method: Method): Effect {
  if (method === "POST") return "create";
  return method === "GET" ? "read" : "idempotent";
}

export interface CallInput {
  /** Values for the `{name}`s of the operation's path. */
  readonly ids?: Readonly<Record<string, string>>;
  /** Values left undefined are not sent. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: object;
  /** Texts that no message may repeat, even when the service does. */
  readonly secrets?: readonly string[];
}

/** Checks an answer: a schema of zod. This type names only its one method, so that the types of the client need no zod. */
export interface Decoder<T> {
  safeParse(
    value: unknown,
    options: object,
  ): { success: true; data: T } | { success: false; error: { issues: { path: PropertyKey[]; message: string }[] } };
}

export type Call = <T>(name: OperationName, schema: Decoder<T>, input?: CallInput) => Promise<T>;
