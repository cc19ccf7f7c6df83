/** Adds the funnels to a drift as visitors meet them, with the pictures of their public pages. It only reads. */
import { nameOf, typeOf } from "../../engine/index.ts";
import { reasonOf } from "../../provider/values/wording.ts";
import { historyOf } from "../history/place.ts";
import { cameraOf, refuseBadSelectors } from "./camera.ts";
import { type PicturedPage, picturesOf } from "../pictures/pairs.ts";
import { liveFunnels, type PastRun } from "../report/live-funnels.ts";
import type { LiveFunnel, LiveStep } from "../report/shown.ts";
import type { Report } from "../report/model.ts";
import { shortName } from "../report/steps.ts";
import type { Ran, StackSession } from "./session.ts";

export async function withFunnels(
  session: StackSession,
  { report, preview }: Pick<Ran, "report" | "preview">,
): Promise<Report> {
  if (report.result !== "succeeded") return report;
  await refuseBadSelectors(session.folder);
  const history = await runsOf(session);
  const all = session.redactor.value(liveFunnels(preview.told, report, "runs" in history ? history.runs : []));
  const pages = all.flatMap(({ steps }) => steps.flatMap(pictured));
  const { taken, missing } = await picturesOf([...new Map(pages.map((page) => [page.urn, page])).values()], {
    ...(await cameraOf(session.folder)),
    screens: ["phone"],
  });
  const withPicture = (step: LiveStep): LiveStep => {
    const picture = step.urn === undefined ? undefined : taken.find(({ urn }) => urn === step.urn);
    return picture === undefined ? step : { ...step, picture };
  };
  const shown = all.map((flow): LiveFunnel => ({ ...flow, steps: flow.steps.map(withPicture) }));
  if (shown.length === 0) return report;
  const open = { ...(missing !== undefined && { missing }), ...("unread" in history && history) };
  return { ...report, funnels: { all: shown, ...open } };
}

/** Who changed a page last is news: a history that can't be read fails nothing. */
async function runsOf({
  engine,
  folder,
}: StackSession): Promise<{ readonly runs: readonly PastRun[] } | { readonly unread: string }> {
  try {
    const { runs } = await (await historyOf(engine, folder)).runs();
    return {
      runs: runs.map(({ start: { id, at, by }, end }) => ({ run: id, at, by: by.name, changes: end?.changes ?? [] })),
    };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { unread: reasonOf(error) };
  }
}

function pictured({ urn, to, title, url }: LiveStep): PicturedPage[] {
  if (urn === undefined || url === undefined) return [];
  return [{ urn, type: shortName(typeOf(urn)), name: to ?? nameOf(urn), title, url }];
}
