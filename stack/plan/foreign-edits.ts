/** What a plan says about edits of others in drafts. Pure. */
import type { ForeignEditsWord } from "../../provider/messages/foreign-edits.ts";
import { foreignEditsInForce } from "../../provider/pulumi/settings-in-force.ts";
import type { ForeignEditsWords } from "../checks/planned.ts";
import type { StackFolder } from "../project/open.ts";
import type { DraftOfOthers } from "../report/going-live.ts";
import type { Report } from "../report/model.ts";

export type { ForeignEditsWords } from "../checks/planned.ts";

/** Between the two stands the word of the page itself. */
export function wordsOf(
  { config }: Pick<StackFolder, "config">,
  { foreignEdits }: { readonly foreignEdits?: ForeignEditsWord | undefined },
): ForeignEditsWords {
  const stack = foreignEditsInForce((key) => config.get(key), process.env);
  return { stack, ...(foreignEdits && { option: foreignEdits }) };
}

/** Of each draft of others, what would go live, or be written over. */
export function draftsOfOthers({ impact }: Report): Map<string, DraftOfOthers> {
  return new Map((impact?.alsoLive ?? []).map((one) => [one.urn, one]));
}

/** By URN, a digest of the edits that go live with the plan. */
export function includedEdits({ impact }: Report): Record<string, string> {
  const included = (impact?.alsoLive ?? []).filter(({ word }) => word === "include");
  return Object.fromEntries(included.map(({ urn, digest }) => [urn, digest]));
}
