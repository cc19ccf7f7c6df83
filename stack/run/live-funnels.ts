/** Adds the funnels to a drift as visitors meet them, with the pictures of their public pages. It only reads. */
import { nameOf, typeOf } from "../../engine/index.ts";
import { historyOf } from "../history/place.ts";
import { cameraOf } from "../pictures/camera.ts";
import { type PicturedPage, picturesOf } from "../pictures/pairs.ts";
import { liveFunnels, type LiveFunnel, type LiveStep } from "../report/live-funnels.ts";
import type { Report } from "../report/model.ts";
import { shortName } from "../report/steps.ts";
import type { Ran, StackSession } from "./session.ts";

export async function withFunnels(
  session: StackSession,
  { report, preview }: Pick<Ran, "report" | "preview">,
): Promise<Report> {
  if (report.result !== "succeeded") return report;
  const { runs } = await (await historyOf(session.engine, session.folder)).runs();
  const all = session.redactor.value(liveFunnels(preview.told, report, runs));
  const pages = all.flatMap(({ steps }) => steps.flatMap(pictured));
  const { taken, missing } = await picturesOf([...new Map(pages.map((page) => [page.urn, page])).values()], {
    ...(await cameraOf(session.folder)),
    screens: ["phone"],
  });
  const withPicture = (step: LiveStep): LiveStep => {
    const picture = step.urn === undefined ? undefined : taken.find(({ urn }) => urn === step.urn);
    return picture === undefined ? step : { ...step, picture };
  };
  const shown = all.map((funnel): LiveFunnel => ({ ...funnel, steps: funnel.steps.map(withPicture) }));
  return shown.length === 0
    ? report
    : { ...report, funnels: { all: shown, ...(missing !== undefined && { missing }) } };
}

function pictured({ urn, to, title, url }: LiveStep): PicturedPage[] {
  if (urn === undefined || url === undefined) return [];
  return [{ urn, type: shortName(typeOf(urn)), name: to ?? nameOf(urn), title, url }];
}
