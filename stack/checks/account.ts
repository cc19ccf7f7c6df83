/** Checks who owns the account, which parts of the plan are sure to fail in it, and what the key may do. */
import { nameOf, typeOf } from "../../engine/index.ts";
import { isLook, verbOf, DESTROYS, INTENTS, PREVIEWS } from "../intents.ts";
import { type Entry, isLeft } from "../../provider/ledger/ledger.ts";
import { listed } from "../../provider/values/wording.ts";
import { keyOf } from "../engines/ledger.ts";
import { hasChanges } from "../report/verdict.ts";
import { withAdopted, withMoved } from "../report/addresses.ts";
import type { Failure, Report, Warning } from "../report/model.ts";
import { nameText } from "../report/text.ts";
import type { Planned } from "../report/build.ts";
import { shortName } from "../report/steps.ts";
import { titleOf } from "../report/words.ts";
import { declaredAt, type Declaring } from "../report/written-in.ts";
import { leftInPlace } from "../report/decide.ts";
import { ADOPTS } from "./made-before.ts";
import { managerElsewhere } from "./held-elsewhere.ts";
import type { StackSession } from "../run/session.ts";
import { NOT_KEPT, since, unanswered, warns, type Check, type CheckFinding, type Look } from "./check.ts";
import {
  type ForeignEditsPolicies,
  type PlannedChanges,
  type SureFailure,
  type Warned,
  policiesOf,
  accountsIn,
} from "./planned.ts";
import { deletionsIn, lackingFor, preflight, makesWhatStays, type Unasked } from "./preflight.ts";

export const account: Check = {
  name: "account",
  not: since(
    "the provider refuses another account before its first deletion; what has to stay is a row of its own",
    ...DESTROYS,
  ),
  run: async (look, report) => {
    const { session, intent } = look;
    const { impact } = report;
    if (!isToBeDone(report) || impact === undefined) return {};
    const policies: ForeignEditsPolicies = policiesOf(session.folder, intent);
    const answer = await preflight(await session.settings(), toPlan(look), policies, await look.reader());
    const found = session.redactor.value(answer);
    const withPlaces = { changes: report.changes, urls: withAdopted(impact.urls, found.adopted) };
    const { changes, urls } = withMoved(withPlaces, found.moved);
    const code: Declaring = { manifest: session.folder.manifest, places: look.ran.preview.places };
    return {
      rows: new Map([...leftInPlace(found.staying), ...found.reused]),
      report: { ...report, changes, impact: { ...impact, urls, unproven: found.unproven } },
      accounts: answer.accounts,
      findings: [
        ...refusals(await withManagers(found.failures, session), code, look.ran.preview.told),
        ...found.unasked.map((one) => notAsked(one, isLook(intent))),
        ...unanswered(found.unanswered, intent),
        ...warns(found.warnings.map((one) => placed(one, code))),
      ],
    };
  },
};

/** Says which stack manages the object that is in the way, or else how to take the object over. */
async function withManagers(failures: readonly Failure[], session: StackSession): Promise<Failure[]> {
  const isAsked = failures.some((one) => isSure(one) && one.holder !== undefined);
  const records = isAsked ? ((await session.engine.records()) ?? []) : [];
  return Promise.all(
    failures.map(async (one) => {
      if (!isSure(one) || one.holder === undefined) return one;
      const { key, id } = one.holder;
      const own = records.find((record) => record.id === id);
      const manager = own ? ownText(own.urn) : await managerElsewhere(session, key);
      if (manager === undefined) return { ...one, text: `${one.text}, or take that one over with adoptId: ${id}` };
      return { ...one, text: `${one.text}. ${manager}`, holder: undefined };
    }),
  );
}

function ownText(urn: string): string {
  const [type, name] = [shortName(typeOf(urn)), nameOf(urn)];
  return `This stack has it as ${titleOf({ type, name })}, which does not move in this run. With --target, add --target ${type}/${name}`;
}

function placed({ change, at = [], ...one }: Warned, code: Declaring): Warning {
  return { ...one, source: change && declaredAt(code, change, at) };
}

/** Tells what fails in the same way, or at the same place, once, with the first place in the code. */
function refusals(failures: readonly Failure[], code: Declaring, told: Planned["told"]): CheckFinding[] {
  // A state that has nothing, beside an account that has the objects of this code: the state may be lost.
  const isEmpty = [...told.values()].every(({ id }) => id === "");
  const placed = failures.map((one) => ({
    one,
    place: isSure(one) ? declaredAt(code, one.change, one.at) : undefined,
  }));
  const groups = Map.groupBy(placed, ({ one, place }) =>
    isSure(one) ? `${one.change.type} ${place === undefined ? one.text : `${place} ${one.at.join(".")}`}` : one.message,
  );
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const { one, place } = first;
    const advice = isEmpty && isSure(one) && one.holder !== undefined ? [FINDS_AGAIN] : [];
    const found = { weight: "refuse" as const, urn: one.urn, source: place, cause: one.cause, advice };
    if (!isSure(one)) return [{ ...found, text: one.message }];
    const names = others.flatMap(({ one: other }) => (isSure(other) ? [nameText(other.change.name)] : []));
    const isSame = others.every(({ one: other }) => isSure(other) && other.text === one.text);
    const subject = `${one.change.type} ${listed([nameText(one.change.name), ...(isSame ? names : [])], 3)}`;
    const more = isSame ? "" : ` The same holds for ${listed(names, 3)}.`;
    return [{ ...found, text: `${subject}: ${one.text}${more === "" ? "" : `.${more}`}` }];
  });
}

/** Another stack may have made them: only a person knows if a state is lost. */
const FINDS_AGAIN = {
  ...ADOPTS,
  reason: "finds them again, if the state that made them is lost. If another stack has them, leave them to it.",
};

function isSure(failure: Failure): failure is SureFailure {
  return "change" in failure;
}

/** A plan that nobody could check is neither kept nor applied. If only the engine can read the key, the apply finds out by itself. */
function notAsked({ text, isKeyHidden, step }: Unasked, refuses: boolean): CheckFinding {
  if (isKeyHidden && !refuses) return { weight: "warn", text };
  return { weight: "refuse", text: `${text}\n${refuses ? NOT_KEPT : NOT_SENT}`, cause: "operation", step };
}

const NOT_SENT = "Nothing was sent. Run again once the account answers.";

export const scopes: Check = {
  name: "scopes",
  not: since("nothing is made by it", ...PREVIEWS, "undo --preview", ...DESTROYS),
  /** The check asks before anything is sent, by calls about objects that cannot exist. */
  run: async (look, report) => {
    const { session, ran } = look;
    if ((report.impact?.unproven ?? []).length === 0 || !makesWhatStays(ran.preview.changes)) return {};
    const settings = await session.settings();
    const { plans } = accountsIn(toPlan(look), settings);
    return { proof: lackingFor(settings, plans) };
  },
};

function toPlan({ session, ran }: Look): PlannedChanges {
  const { report, preview } = ran;
  const begun = new Set(report.pending.flatMap(({ operation, urn }) => (operation === "creating" ? [urn] : [])));
  let read: ReturnType<typeof session.engine.ledger> | undefined;
  const entriesOf = async (urn: string): Promise<readonly Entry[]> =>
    (await (read ??= session.engine.ledger())).entries.filter(({ key }) => key === keyOf(urn));
  /** A killed run may have left only its ledger. */
  const isBegun = async (urn: string): Promise<boolean> => begun.has(urn) || (await entriesOf(urn)).length > 0;
  const leftAs = async (urn: string): Promise<string | undefined> => (await entriesOf(urn)).findLast(isLeft)?.id;
  return { changes: preview.changes, told: preview.told, isBegun, leftAs };
}

function isToBeDone(report: Report): boolean {
  return report.result === "succeeded" && hasChanges(report);
}

export const staying: Check = {
  name: "staying",
  not: {
    ...since(
      "the check of the account says so of whatever the plan deletes",
      ...INTENTS.filter((kind) => verbOf({ kind }) !== "destroy"),
    ),
    "env down": "the deletion itself names what it had to leave, and the record of the environment stays with it",
  },
  run: async (look, report) => {
    if (!isToBeDone(report)) return {};
    const found = await deletionsIn(await look.session.settings(), toPlan(look), await look.reader());
    const { failures, staying: stays } = look.session.redactor.value(found);
    // The destroy deletes all the rest, and fails for these.
    return { rows: leftInPlace(stays), findings: warns(failures.map(({ message, urn }) => ({ text: message, urn }))) };
  },
};

export const leftovers: Check = {
  name: "leftovers",
  not: {},
  run: async ({ leftovers: all, ran }, report) => ({ report: await all.foretold(report, ran.preview) }),
};
