import type { Operation } from "../http/contract.ts";
import { refuseUnknown } from "./fault-file.ts";
import type { Fault } from "./fault-names.ts";

export type { Fault } from "./fault-names.ts";

interface Armed {
  fault: Fault;
  skip: number;
  left: number;
}

/** A call as faults see it. */
export interface StruckCall {
  method: string;
  /** Path template, or "" if there is none. */
  route: string;
  path: string;
  operation: Pick<Operation, "scopes"> | undefined;
}

export class Faults {
  #armed: Armed[] = [];

  add(fault: Fault): void {
    refuseUnknown(fault);
    const { skip = 0, times = 1 } = fault;
    this.#armed.push({ fault, skip, left: times ?? Infinity });
  }

  clear(): void {
    this.#armed = [];
  }

  /** Returns the fault of this call: the first that matches and has let enough calls through. */
  take(call: StruckCall): Fault | undefined {
    for (const armed of this.#armed.filter(({ fault }) => matchesCall(fault, call))) {
      if (armed.skip > 0) armed.skip--;
      else if (armed.left > 0) {
        armed.left--;
        return armed.fault;
      }
    }
    return undefined;
  }
}

function matchesCall(fault: Fault, { method, route, path, operation }: StruckCall): boolean {
  return (
    (fault.method === undefined || fault.method.toUpperCase() === method) &&
    (fault.path === undefined || fault.path === route || fault.path === path) &&
    (fault.scope === undefined || operation?.scopes.includes(fault.scope) === true)
  );
}

/** Tells if the call is carried out although it gets another answer or none. */
export function commits({ phase, commit }: Fault): boolean {
  return phase !== "before" && (!["reset", "html", "status"].includes(phase) || commit === true);
}
