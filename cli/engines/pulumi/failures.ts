/** What went wrong on Pulumi's engine, which tells it in texts. Pure. */
import { describeHolder, isRootStack, type LockHolder, nameOf, typeOf } from "../../../engine/index.ts";
import type { Collector } from "../../report/collect.ts";
import { shortName } from "../../report/steps.ts";
import type { Failure } from "../../report/model.ts";
import type { RunRequest } from "../types.ts";

export function failuresOf(
  end: { output: string; locked: boolean; holders: readonly LockHolder[] },
  { errors, told }: Collector,
  { kind }: RunRequest,
): Failure[] {
  if (end.locked) return [{ cause: "locked", message: lockedMessage(end) }];
  const told_ = errors.filter(({ message }) => !/^(update|preview|destroy|refresh) failed$/.test(message.trim()));
  if (told_.length === 0) {
    const cause = causeOf(end.output, "operation");
    return [{ cause, message: cause === "stale" ? staleMessage(end.output) : stderrOf(end.output) }];
  }
  const sent = [...told.values()].some(({ failed }) => failed);
  return told_.map(({ message, urn }) => {
    const cause = causeOf(message, kind === "preview" || !sent ? "program" : "operation");
    const aboutResource = urn !== undefined && !isRootStack(urn);
    const text = cause === "stale" ? staleMessage(message) : message.replace(/^error: /, "");
    return { cause, message: text, ...(aboutResource ? { urn } : {}) };
  });
}

function causeOf(message: string, otherwise: Failure["cause"]): Failure["cause"] {
  return /violates plan|resource violates/i.test(message) ? "stale" : otherwise;
}

/** Pulumi prints the values of both sides, secrets too: the names are enough. */
function staleMessage(message: string): string {
  const [urn] = /urn:pulumi:\S+/.exec(message) ?? [];
  const fields = [...message.matchAll(/(?:\+\+|--|~~|\+=|~=|-=)([\w$]+)\[/g)].map(([, name]) => name);
  const what = urn === undefined ? "a resource" : `${shortName(typeOf(urn))} ${nameOf(urn)}`;
  const where = fields.length === 0 ? "" : `: ${[...new Set(fields)].join(", ")}`;
  return `${what} is no longer what was reviewed${where}. Preview again and review the new plan`;
}

function lockedMessage({ output, holders }: { output: string; holders: readonly LockHolder[] }): string {
  const [, told = ""] =
    /((?:the stack is currently locked by|\[409\] Conflict: ).*?)(?:\n\s*err\??: |$)/s.exec(output) ?? [];
  const who = holders.length === 0 ? [told.trim()] : holders.map(describeHolder);
  const free = holders.length === 0 ? "`pulumi cancel`" : "`npx landform state unlock`";
  return [
    "the stack is locked by another run, and nothing was sent:",
    ...who,
    `Wait for it to end. If that run is gone, ${free} frees the stack; then run this again.`,
  ].join("\n");
}

/** The Automation API wraps what the CLI wrote into code, stdout and stderr. */
function stderrOf(output: string): string {
  const [, text = output] = /stderr: (.*?)(?:\n\s*err\??: |$)/s.exec(output) ?? [];
  return text.trim().replace(/^error: /, "") || output.trim();
}
