/** Reads failures from the texts of Pulumi's engine. Pure. */
import { UNLOCKS } from "../../advice/next-steps.ts";
import { describeHolder, isRootStack, type LockHolder, nameOf, shortType, typeOf } from "../../../engine/index.ts";
import { guideTo } from "../../../provider/messages/failures.ts";
import type { Collector } from "../../report/collect.ts";
import type { Failure } from "../../report/model.ts";
import { shortName } from "../../report/steps.ts";
import type { RunRequest } from "../contract.ts";

export function failuresOf(
  end: { output: string; locked: boolean; holders: readonly LockHolder[] },
  { errors: wrapped, told }: Collector,
  { kind, expected }: Pick<RunRequest, "kind" | "expected">,
): Failure[] {
  if (end.locked) return [{ cause: "locked", message: lockedMessage(end), advice: [UNLOCKS] }];
  const errors = wrapped.map((one) => ({ ...one, message: one.message.replace(WRAPPER, "") }));
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
    if (cause === "stale") return { cause, message: staleMessage(message), ...(aboutResource && { urn }) };
    const text = HOST_GONE.test(message) ? HOST_ENDED : message.replace(/^error: /, "").replace(PREVIEW_OF, "");
    return aboutResource ? { cause, message: ofResource(urn, text), urn } : { cause, message: text };
  });
}

/** Pulumi wraps the one error of a provider so (3.274, 2026-11). */
const WRAPPER = /^(?:error: )?1 error occurred:\s*\* /;

/** Pulumi says this of a look by `refresh`, too, even if nobody has asked for a preview. */
const PREVIEW_OF = /^Preview failed: /;

/** gRPC's words when the process at the other end is gone (3.274, 2026-11). */
const HOST_GONE =
  /error reading from server: (?:EOF|read tcp .*connection reset)|transport: Error while dialing: dial tcp 127\.0\.0\.1:\d+: connect: connection refused/;

const HOST_ENDED =
  "the process that serves the providers has ended in the middle of its work: somebody ended it, or the machine had no memory left. The next run finds what was under way";

/** Landform ends Pulumi if the place of the state is gone, or if Pulumi stays silent after an interruption. */
export type EndedByUs = { end: "gone"; reason: string } | { end: "stuck" };

export function failuresWhenEnded(end: EndedByUs, { errors }: Collector, place: string): Failure[] {
  const told = errors.flatMap(({ message, urn }): Failure[] =>
    urn === undefined || isRootStack(urn) ? [] : [{ cause: "operation", message, urn }],
  );
  const message = end.end === "gone" ? goneMessage(end.reason, place) : STUCK;
  return [...told, { cause: "operation", message, advice: [UNLOCKS] }];
}

const STUCK = [
  "after the interruption Pulumi printed nothing for minutes, so Landform ended it. Work that was under way is unfinished; the next run finds it.",
  "Once the stack is free, run again.",
].join("\n");

function goneMessage(reason: string, place: string): string {
  return [
    `the place of the state no longer answers, so Landform ended Pulumi: ${place}`,
    `  ${reason}`,
    "The state does not hold the steps since then. The next up finds the objects that were made.",
    "Once it answers and the stack is free, the next run finds what was made and carries on.",
  ].join("\n");
}

const LOST_LOCK = [
  "the lock of this run was removed while it was under way (`state unlock` on another machine, `pulumi cancel`), so another run may have worked on the stack at the same time.",
  "This run has done its work. The state holds the steps of the run that wrote last: objects of the other run may be in the account twice, or in no state.",
  "Once no other run is under way, look for what is there twice before you run up again.",
].join("\n");

export const lostLockFailure: Failure = {
  cause: "operation",
  message: LOST_LOCK,
  advice: [{ command: "adopt", arguments: [], reason: "finds by its name what the state doesn't know." }],
};

/** Names the resource, and the input that its provider refuses. Pulumi prints the refused value, too, which may be long or confidential. */
function ofResource(urn: string, message: string): string {
  const title = `${shortName(typeOf(urn))} "${nameOf(urn)}"`;
  const text = message.replace(
    /^\S+ resource '.*?': property (\S+) value \{[\s\S]*\} has a problem: /,
    `${title}, $1: `,
  );
  return text.startsWith(title) ? text : `${title}: ${text}`;
}

function causeOf(message: string, otherwise: Failure["cause"]): Failure["cause"] {
  return /violates plan|resource violates|not allowed by the plan/i.test(message) ? "stale" : otherwise;
}

/** Pulumi prints the values of both sides, secrets too, so only the names are kept. */
function staleMessage(message: string): string {
  const [urn] = /urn:pulumi:\S+/.exec(message) ?? [];
  const fields = [...message.matchAll(/(?:\+\+|--|~~|\+=|~=|-=)([\w$]+)\[/g)].map(([, name]) => name);
  const what = urn === undefined ? "a resource" : `${shortName(typeOf(urn))} ${nameOf(urn)}`;
  const where = fields.length === 0 ? "" : `: ${[...new Set(fields)].join(", ")}`;
  return `${what} is no longer what was reviewed${where}. Preview again and review the new plan`;
}

export function lockedMessage({ output, holders }: { output: string; holders: readonly LockHolder[] }): string {
  const [, told = ""] =
    /((?:the stack is currently locked by|\[409\] Conflict: ).*?)(?:\n\s*err\??: |$)/s.exec(output) ?? [];
  const known = holders.length > 0 ? holders : holdersIn(told);
  return [
    "the stack is locked by another run, and nothing was sent:",
    ...(known.length > 0 ? known.map(describeHolder) : [told.trim()]),
    "Wait for it to end, and run this again.",
  ].join("\n");
}

/** The output of Pulumi has its code, stdout and stderr. */
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
  "the plan holds secrets that the stack's present passphrase doesn't open: somebody changed it since (`pulumi stack change-secrets-provider`), or Pulumi.STACK.yaml is not the one that the plan was made with. Nothing was sent. Preview again and review the new plan";

const OTHER_SALT =
  "If the passphrase is right, this machine has another Pulumi.STACK.yaml than the one that the secret was made with. That file holds the salt of the stack's secrets: keep it with the program";

const OTHER_WRITER = "Another process was writing in the same table at that moment: run this again";

/** Pulumi names holders by the address of their lock, which may contain secrets. Only the parts that may be shown are kept. */
export function holdersIn(told: string): LockHolder[] {
  const lines = told.matchAll(/: created by (.+)@(.+) \(pid (\d+)\) at (\S+)/g);
  return [...lines].map(([, username = "", hostname = "", pid, timestamp = ""]) => ({
    username,
    hostname,
    pid: Number(pid),
    timestamp,
  }));
}

interface Refusal {
  readonly entry: "protected" | "target";
  /** The groups of the pattern are URNs. The first is the resource that the message is about. */
  readonly says: RegExp;
  readonly text: (urn: string, other: string) => string;
}

const UNPROTECTED = "Remove `protect` from it and run up, or undo the change";

/** The words of Pulumi 3.245. */
const REFUSALS: readonly Refusal[] = [
  {
    entry: "protected",
    says: /resource "(urn:[^"]+)" cannot be deleted\s+because it is protected/,
    text: (urn) => `${urn} is protected and is not deleted. Remove \`protect\` from it in the program and run up first`,
  },
  {
    entry: "protected",
    says: /unable to replace resource "(urn:[^"]+)" as part of replacing "(urn:[^"]+)"\s+as it is currently marked for protection/,
    text: (urn, cause) =>
      `${urn} would have to be deleted first to replace ${cause}, and it is protected. ${UNPROTECTED}`,
  },
  {
    entry: "protected",
    says: /unable to replace resource "(urn:[^"]+)"\s+as it is currently marked for protection/,
    text: (urn) =>
      `${shortType(typeOf(urn))} "${nameOf(urn)}" would be replaced, which deletes it, and it is protected. ${UNPROTECTED}`,
  },
  {
    entry: "target",
    says: /Resource '(urn:[^']+)' depends on '(urn:[^']+)' which was (?:was )?not specified in --target list/,
    text: (urn, needed) => `${urn} needs ${needed}, which does not exist yet and is not targeted. Target it too`,
  },
  {
    entry: "target",
    says: /Resource '(urn:[^']+)' will be destroyed but was not specified in --target list/,
    text: (urn) =>
      `${urn} would have to be deleted with the targets, since it depends on them, and is not targeted. Target it too`,
  },
];

/** Returns undefined for another message. The program causes this refusal, at any step. */
export function refusalOf(message: string): Failure | undefined {
  for (const { entry, says, text } of REFUSALS) {
    const [, urn, other = ""] = says.exec(message) ?? [];
    if (urn !== undefined) return { cause: "program", message: text(urn, other), guide: guideTo(entry), urn };
  }
  return undefined;
}
