/** The outputs of a stack as its state records them, and the forms in which they are printed. Pure. */
import { type ExportedStack, heldNumber, isRootStack, type Json, SECRET_SIG, SIG_KEY } from "../../engine/index.ts";
import { shellQuoted } from "../advice/next-command.ts";

export interface StackOutput {
  name: string;
  /** Undefined for a secret that stayed encrypted. */
  value: Json | undefined;
  secret: boolean;
}

/** Sorted by name. */
export function outputsOf({ deployment: { resources = [] } }: ExportedStack): StackOutput[] {
  const root = resources.find(({ urn }) => isRootStack(urn));
  return Object.entries(root?.outputs ?? {})
    .map(([name, stored]) => ({ name, ...opened(stored) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** A secret may stand for the whole value, or lie within it. */
function opened(stored: Json): { value: Json | undefined; secret: boolean } {
  if (Array.isArray(stored)) return gathered(stored.map(opened), (values) => values);
  if (stored === null || typeof stored !== "object") return { value: stored, secret: false };
  if (stored[SIG_KEY] === SECRET_SIG) {
    const { plaintext } = stored;
    if (typeof plaintext !== "string") return { value: undefined, secret: true };
    return { value: opened(JSON.parse(plaintext) as Json).value, secret: true };
  }
  const number = heldNumber(stored);
  if (number !== undefined) return { value: number, secret: false };
  const names = Object.keys(stored);
  return gathered(Object.values(stored).map(opened), (values) =>
    Object.fromEntries(names.map((name, index) => [name, values[index] ?? null])),
  );
}

function gathered(
  parts: { value: Json | undefined; secret: boolean }[],
  join: (values: Json[]) => Json,
): { value: Json | undefined; secret: boolean } {
  const values = parts.map(({ value }) => value);
  const secret = parts.some((part) => part.secret);
  return { value: values.every((value) => value !== undefined) ? join(values) : undefined, secret };
}

export function plainText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** For a shell's eval: `offerUrl='https://…'`. */
export function shellLine(name: string, value: Json): string {
  return `${variableName(name)}=${shellQuoted(plainText(value))}`;
}

/** For .env files: quoted where something in it would be taken for more than text. */
export function envLine(name: string, value: Json): string {
  const text = plainText(value);
  if (/^[\w./:@%+,~-]*$/.test(text)) return `${variableName(name)}=${text}`;
  if (!/['\r\n]/.test(text)) return `${variableName(name)}='${text}'`;
  const escaped = text
    .replaceAll("\\", "\\\\")
    .replaceAll("`", "\\`")
    .replaceAll("$", "\\$")
    .replaceAll('"', '\\"')
    .replaceAll("\n", "\\n")
    .replaceAll("\r", "\\r");
  return `${variableName(name)}="${escaped}"`;
}

/** Outputs may be called anything, variables may not. */
export function variableName(output: string): string {
  const name = output.replaceAll(/[^A-Za-z0-9_]/g, "_");
  return /^\d/.test(name) ? `_${name}` : name;
}
