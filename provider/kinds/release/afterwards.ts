/** After a release went out: what slipped in, and what visitors get. A failure of these looks is no failure of the release. */
import { ApiError } from "../../api/index.ts";
import type { PagePublished } from "../../api/records.ts";
import type { ForeignEdit } from "../../messages/foreign-edits.ts";
import type { RunContext } from "../../reconcile/run-context.ts";
import type { WantedText } from "../../seen/evidence.ts";
import { lookBefore } from "../../seen/look.ts";
import type { VisibleText } from "../../seen/visible-text.ts";
import { Draft, type PageDocument } from "../page/document.ts";
import { standsIn } from "../page/foreign-edits.ts";
import { slippedIn } from "../page/guard.ts";
import { addressOf, publicLook } from "../page/live-look.ts";
import type { ReleaseDraft } from "../page/release-draft.ts";
import { asText } from "../page/said.ts";
import { ownOf, type Member } from "./member.ts";

/** What came between the look and the publication may be public. Links that were put right are the release's own. */
export async function tellSlippedIn(run: RunContext, members: readonly Member[]): Promise<void> {
  const edited = members.filter(({ record }) => record.status === "published");
  await Promise.all(
    edited.map(async (member) => {
      const { id, draft } = member;
      try {
        const edits = await slippedInto(run, member);
        if (edits.length === 0) return;
        run.warn({ code: "foreign-edits", kind: "page", id, name: draft.name, outcome: "slipped-in", edits });
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
      }
    }),
  );
}

/** Edits since the look. One read, where that tells that nothing moved. */
export async function slippedInto(
  run: RunContext,
  { id, document: before, draft, corrected }: Member,
): Promise<ForeignEdit[]> {
  const own = ownOf(id, draft, Object.fromEntries(corrected));
  for (const text of corrected.values()) own.ours.addText(text);
  const shown = new Draft(run, id);
  const slipped = (now: PageDocument): ForeignEdit[] =>
    slippedIn(id, before, now, { writes: own, known: undefined }).filter((edit) => !isWritten(edit, draft));
  const tree = await shown.tree();
  const tells = Object.values(draft.after.content).some((text) => standsIn(tree, text));
  if (tells && slipped(tree).length === 0) return [];
  return slipped(await shown.whole());
}

/** A content map of what is live shows what the draft held once that is public. */
function isWritten(edit: ForeignEdit, { after }: ReleaseDraft): boolean {
  if (edit.kind !== "field" || edit.now === undefined) return false;
  const sent = after.content[edit.key];
  return sent !== undefined && asText(sent) === asText(edit.now);
}

export async function looksBefore(
  run: RunContext,
  members: readonly Member[],
): Promise<Map<string, VisibleText | undefined>> {
  const asked = members.filter((member) => isVerified(run, member));
  const looks = asked.map(async ({ id, record }): Promise<[string, VisibleText | undefined]> => {
    const address = addressOf(record);
    return [id, address === undefined ? undefined : await lookBefore(run.publicPages, address)];
  });
  return new Map(await Promise.all(looks));
}

export async function tellSeen(
  run: RunContext,
  members: readonly Member[],
  published: ReadonlyMap<string, PagePublished>,
  before: ReadonlyMap<string, VisibleText | undefined>,
): Promise<void> {
  const asked = members.filter((member) => isVerified(run, member));
  await Promise.all(
    asked.map(async ({ id, draft }) => {
      const { url = null, domain = null, slug = null } = published.get(id) ?? {};
      const address = addressOf({ status: "published", url, domain, slug });
      const found = await publicLook(run, address, textsOf(draft), before.get(id));
      run.warn({ code: "seen-live", kind: "page", id, name: draft.name, ...found });
    }),
  );
}

function isVerified(run: RunContext, { draft }: Member): boolean {
  return draft.verify || run.settings.verify === true;
}

function textsOf({ before, after }: ReleaseDraft): WantedText[] {
  return Object.entries(after.content).flatMap(([key, now]) => {
    const old = before?.content[key];
    if (typeof now !== "string") return [];
    return [{ key, now, before: typeof old === "string" && old !== now ? old : undefined }];
  });
}
