/** Numbers, true and false that are sent otherwise than they are written: of 12.50 a page would say 12.5. Pure. */
import { isScalar, type Node } from "yaml";

export interface Respelled {
  readonly problem: string;
  readonly hint: string;
}

/** Undefined where what is sent is what is written. */
export function respelled(value: unknown, written: string | undefined): Respelled | undefined {
  if (typeof value !== "number" && typeof value !== "boolean") return undefined;
  const sent = String(value);
  if (written === undefined || written === sent || isTold(value, written)) return undefined;
  const what = typeof value === "number" ? "a number" : "true or false";
  return {
    problem: `${written} is read as ${what}, and would be sent as ${sent}`,
    hint: `Put text in quotes: "${written}". What is meant as ${what} is written ${sent}.`,
  };
}

export function respelledNode(node: Node | null): Respelled | undefined {
  return isScalar(node) ? respelled(node.value, node.source) : undefined;
}

/** What no number can keep is a fault of its own. */
function isTold(value: number | boolean, written: string): boolean {
  return typeof value === "number" && !(Number.isFinite(value) && keepsDigits(value, written));
}

/** A large number is the one that is written only where no digit of it was lost. */
export function keepsDigits(value: number, written: string): boolean {
  if (!Number.isInteger(value) || Number.isSafeInteger(value)) return true;
  const shortest = digitsOf(String(value));
  return digitsOf(written) === shortest;
}

/** The digits that count, and where the point stands behind the first of them. */
function digitsOf(number: string): string {
  const [, whole = "", rest = "", exponent = "0"] = /^[-+]?(\d*)\.?(\d*)(?:[eE]([-+]?\d+))?$/.exec(number) ?? [];
  const digits = (whole + rest).replace(/^0+/, "");
  return `${digits.replace(/0+$/, "")}e${digits.length - rest.length + Number(exponent)}`;
}
