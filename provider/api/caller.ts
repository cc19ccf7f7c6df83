/** What the resource groups need of the client: one call of one operation, answered by a checked record. */
import type { z } from "zod";
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

export type Call = <T>(name: OperationName, schema: z.ZodType<T>, input?: CallInput) => Promise<T>;
