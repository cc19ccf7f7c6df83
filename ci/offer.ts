/** A request that writes hand edits into the code, so that merging it keeps them. */
import type { StackSession } from "../stack/run/session.ts";
import { within } from "../story/markdown-text.ts";
import { code, inertLine } from "../story/markdown-text.ts";
import type { Report } from "../stack/report/model.ts";
import { driftTexts } from "../stack/run/write-drift.ts";
import { proposalFor, type Offer } from "./drift-issue.ts";
import type { CiEnvironment } from "./environment.ts";
import type { Forge } from "./forge/forge.ts";
import { folderIn } from "./tell.ts";

export async function offerToKeep(
  forge: Forge,
  environment: CiEnvironment,
  session: StackSession,
  report: Report,
): Promise<Offer> {
  const { folder } = session;
  if (environment.branch === undefined) return { reasons: ["the branch that this job is on is not known"] };
  const { files, kept, updated } = await driftTexts(session, report);
  if (files.size === 0) return { reasons: kept.length > 0 ? kept : ["nothing of it stands in the code word for word"] };
  const within = folderIn(environment, folder.root);
  return forge.propose({
    ...proposalFor(report),
    base: environment.branch,
    body: [
      "Written into the code, as it is live now:",
      "",
      ...listed(updated.map(code)),
      ...(kept.length === 0 ? [] : ["", "Left for you to do:", "", ...listed(kept.map(inertLine))]),
    ].join("\n"),
    files: [...files].map(([path, content]) => ({ path: within === "" ? path : `${within}/${path}`, content })),
  });
}

/** Characters of each list: a code host takes 65,536 in all. */
const ROOM = 25_000;

function listed(texts: readonly string[]): string[] {
  const lines = texts.map((text) => `- ${text}`);
  return within(lines, ROOM, (count) => `- … and ${count} more`);
}
