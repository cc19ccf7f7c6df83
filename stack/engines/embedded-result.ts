/** What the embedded engine answers with, in the terms of both. */
import type { FailureCause, OperationResult } from "../../engine/index.ts";
import { guideTo } from "../../provider/messages/failures.ts";
import type { Failure } from "../report/model.ts";
import type { RunResult } from "./contract.ts";

export function resultOf(result: OperationResult, wantsPlan: boolean): RunResult {
  return {
    result: result.result,
    outputs: result.outputs,
    failures: result.failures.map(failureOf),
    pending: result.pendingFound.map(({ urn, operation }) => ({ urn, operation })),
    ...(wantsPlan ? { plan: result.plan } : {}),
    unchanged: result.unchanged,
  };
}

/** Errors of the engine that docs/troubleshooting.md explains; the program's own and the provider's speak for themselves. */
const ENTRIES: Partial<Record<FailureCause, string>> = {
  registration: "registration",
  check: "check",
  unsupported: "unsupported",
  protected: "protected",
  target: "target",
  "plan-violation": "plan-violation",
  host: "host",
  state: "state-failed",
};

const CAUSES: Record<FailureCause, Failure["cause"]> = {
  program: "program",
  registration: "program",
  check: "program",
  unsupported: "program",
  protected: "program",
  target: "program",
  "plan-violation": "stale",
  provider: "operation",
  host: "operation",
  state: "operation",
  internal: "operation",
};

function failureOf({ cause, message, urn, source }: OperationResult["failures"][number]): Failure {
  const entry = ENTRIES[cause];
  return {
    cause: CAUSES[cause],
    message,
    ...(entry === undefined ? {} : { guide: guideTo(entry) }),
    ...(urn === undefined ? {} : { urn }),
    ...(source === undefined ? {} : { source: `${source.file}:${source.line}:${source.column}` }),
  };
}
