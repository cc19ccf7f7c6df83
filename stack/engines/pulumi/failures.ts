/** What went wrong on Pulumi's engine, which tells it in texts. Pure. */
import { describeHolder, isRootStack, type LockHolder, nameOf, typeOf } from "../../../engine/index.ts";
import type { Collector } from "../../report/collect.ts";
import { shortName } from "../../report/steps.ts";
import type { Failure } from "../../report/model.ts";
import type { RunRequest } from "../types.ts";
import { holdersIn } from "./lock-texts.ts";
import { refusalOf } from "./refusals.ts";

export function failuresOf(
  end: { output: string; locked: boolean; holders: readonly LockHolder[] },
  { errors, told }: Collector,
  { kind, expected }: Pick<RunRequest, "kind" | "expected">,
): Failure[] {
  if (end.locked) return [{ cause: "locked", message: lockedMessage(end) }];
  const told_ = errors.filter(({ message }) => !/^(update|preview|destroy|refresh) failed$/.test(message.trim()));
  if (told_.length === 0) {
    if (expected !== undefined && isSealedOtherwise(end.output)) return [{ cause: "stale", message: SEALED_PLAN }];
    const cause = causeOf(end.output, "operation");
    return [{ cause, message: cause === "stale" ? staleMessage(end.output) : stderrOf(end.output) }];
  }
  const steps = new Set([...told.values()].filter(({ failed }) => failed).map((one) => one.urn));
  return told_.map(({ message, urn = "" }) => {
    const refused = refusalOf(message);
    if (refused !== undefined) return refused;
    const ofStep = steps.has(urn) || (kind !== "preview" && steps.size > 0);
    const cause = causeOf(message, ofStep ? "operation" : "program");
    const aboutResource = urn !== "" && !isRootStack(urn);
    const text =
      cause === "stale" ? staleMessage(message) : refusalText(message.replace(/^error: /, "").replace(PREVIEW_OF, ""));
    return { cause, message: text, ...(aboutResource ? { urn } : {}) };
  });
}

/** Said of a look by `refresh`, too, where nobody has asked for a preview. */
const PREVIEW_OF = /^Preview failed: /;

/** Of a run that was ended before Pulumi was done with it. */
export function failuresWhenEnded(
  end: { end: "gone"; reason: string } | { end: "stuck" },
  { errors }: Collector,
  place: string,
): Failure[] {
  const told = errors.flatMap(({ message, urn }): Failure[] =>
    urn === undefined || isRootStack(urn) ? [] : [{ cause: "operation", message, urn }],
  );
  const message = end.end === "gone" ? goneMessage(end.reason, place) : STUCK;
  return [...told, { cause: "operation", message }];
}

const STUCK = [
  "after the interruption Pulumi told nothing for minutes, and was ended: what was under way is unfinished, and can be found again.",
  "`npx landform state unlock` frees the stack, and the next run carries on.",
].join("\n");

function goneMessage(reason: string, place: string): string {
  return [
    `the place of the state answers no more, and Pulumi was ended: ${place}`,
    `  ${reason}`,
    "What was done since it went away is not in the state; what was created can be found again.",
    "Once it answers: `npx landform state unlock` frees the stack, and the next run finds what was made and carries on.",
  ].join("\n");
}

const LOST_LOCK = [
  "the lock of this run was removed while it was under way (`state unlock` on another machine, `pulumi cancel`), so another run may have worked on the stack at the same time.",
  "What this run did is done. The state holds what was written last: what the other run made may stand in the account twice, or in no state.",
  "Once no other run is under way, look for what is there twice before you run up again: `npx landform drift --unmanaged` lists what the state does not know.",
].join("\n");

export const lostLockFailure: Failure = { cause: "operation", message: LOST_LOCK };

/** Pulumi prints the refused value too, which may be long, or nobody's business. */
function refusalText(message: string): string {
  return message.replace(/: property (\S+) value \{[\s\S]*\} has a problem: /, ": $1: ");
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
  const known = holders.length > 0 ? holders : holdersIn(told);
  return [
    "the stack is locked by another run, and nothing was sent:",
    ...(known.length > 0 ? known.map(describeHolder) : [told.trim()]),
    "Wait for it to end. If that run is gone, `npx landform state unlock` frees the stack; then run this again.",
  ].join("\n");
}

/** The Automation API wraps what the CLI wrote into code, stdout and stderr. */
function stderrOf(output: string): string {
  const [, text = output] = /stderr: (.*?)(?:\n\s*err\??: |$)/s.exec(output) ?? [];
  const told = text.trim().replace(/^error: /, "") || output.trim();
  if (told.includes("no rows in result set")) return `${told}. ${OTHER_WRITER}`;
  return isSealedOtherwise(told) ? `${told}. ${OTHER_SALT}` : told;
}

function isSealedOtherwise(output: string): boolean {
  return output.includes("message authentication failed");
}

const SEALED_PLAN =
  "the plan holds secrets that the stack's passphrase of today doesn't open: it was changed since (`pulumi stack change-secrets-provider`), or Pulumi.STACK.yaml is not the one that the plan was made with. Nothing was sent. Preview again and review the new plan";

const OTHER_SALT =
  "The salt of the stack's secrets is in Pulumi.STACK.yaml: where the passphrase is right, this machine has another such file than the one that the secret was made with. Keep it with the program";

const OTHER_WRITER = "Another process was writing in the same table at that moment: run this again";
