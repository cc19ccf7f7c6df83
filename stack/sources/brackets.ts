/** What a place in code is within: the call whose argument it is part of, and under which keys. Told by words and signs alone. */

export interface Enclosing {
  /** As it is called: `fs.readFileSync`. */
  readonly callee: string;
  readonly isNew: boolean;
  /** From the call down: keys of objects, and "0" for any item of a list. Undefined where it can't be told. */
  readonly path: readonly string[] | undefined;
}

interface Bracket {
  readonly sign: string;
  readonly call?: Omit<Enclosing, "path">;
  /** Of an object, the one whose value is being read. */
  key?: string | undefined;
}

const NAME = /^[\p{L}_$#][\p{L}\p{N}_$]*$/u;
const OPENS: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };

export class Brackets {
  readonly #open: Bracket[] = [];

  /** `before`: the words and signs before this one. */
  read(token: string, before: readonly string[]): void {
    const top = this.#open.at(-1);
    if (token === "(") this.#open.push({ sign: token, ...callOf(before) });
    else if (token === "[" || token === "{") this.#open.push({ sign: token });
    else if (token in OPENS) this.close(OPENS[token] ?? "");
    else if (top === undefined || top.sign !== "{") return;
    else if (token === ":") top.key ??= keyOf(before);
    else if (token === "," || token === ";") top.key = undefined;
  }

  /** What has no partner is left: a mistake here ends with the bracket around it. */
  close(sign: string): void {
    const at = this.#open.findLastIndex((one) => one.sign === sign);
    if (at !== -1) this.#open.length = at;
  }

  here(): Enclosing | undefined {
    const at = this.#open.findLastIndex(({ sign }) => sign === "(");
    const call = this.#open[at]?.call;
    if (call === undefined) return undefined;
    const steps = this.#open.slice(at + 1).map(({ sign, key }) => (sign === "[" ? "0" : key));
    const path = steps.flatMap((step) => step ?? []);
    return { ...call, path: path.length === steps.length ? path : undefined };
  }
}

/** A conditional has a colon, too: a key comes right after what separates it from the one before. */
function keyOf(before: readonly string[]): string | undefined {
  const [separator = "", key = ""] = before.slice(-2);
  return (separator === "{" || separator === ",") && NAME.test(key) ? key : undefined;
}

function callOf(before: readonly string[]): Pick<Bracket, "call"> {
  let at = before.length - 1;
  const parts = [before[at] ?? ""];
  while (before[at - 1] === "." && at > 1) {
    at -= 2;
    parts.unshift(before[at] ?? "");
  }
  if (!parts.every((part) => NAME.test(part))) return {};
  return { call: { callee: parts.join("."), isNew: before[at - 1] === "new" } };
}
