/** What the resource groups need of the client: one call of one operation, answered by a checked record. */
import type { OperationName } from "./operations.ts";

export type QueryValue = string | number | boolean | undefined;

export interface CallInput {
  /** Values for the `{name}`s of the operation's path. */
  readonly ids?: Readonly<Record<string, string>>;
  /** Values left undefined are not sent. */
  readonly query?: Readonly<Record<string, QueryValue>>;
  readonly body?: object;
  /** Texts that no message may repeat, even when the service does. */
  readonly secrets?: readonly string[];
}

/** What checks an answer: a schema of zod. Named by its one method, so that the types of the client need no zod. */
export interface Decoder<T> {
  safeParse(
    value: unknown,
    options: object,
  ): { success: true; data: T } | { success: false; error: { issues: { path: PropertyKey[]; message: string }[] } };
}

export type Call = <T>(name: OperationName, schema: Decoder<T>, input?: CallInput) => Promise<T>;
