/** Tells the funnels of a stack as visitors meet them: the steps, how each page stands, and who changed it last. Pure. */
import { nameOf, typeOf } from "../../engine/index.ts";
import type { RunRecord } from "../history/run-file.ts";
import { flowOf, isPublic } from "./impact.ts";
import type { Drift, PagePicture, Report } from "./model.ts";
import { publicUrls, shortName, type Told } from "./steps.ts";

export interface LiveFunnels {
  readonly all: readonly LiveFunnel[];
  /** The reason why there are no pictures, if no browser could take them. */
  readonly missing?: string;
}

export interface LiveFunnel {
  readonly urn: string;
  readonly name: string;
  /** The state of the funnel itself, as that of a page. */
  readonly stands: Standing;
  readonly steps: readonly LiveStep[];
}

/** `live`: as the last run left it. `edited`: with unpublished edits by somebody else. `draft`: no visitor gets it. The rest is drift. */
export type Standing = "live" | "edited" | "draft" | Drift["kind"];

export interface LiveStep {
  readonly pageType: string;
  /** The name of a page of this stack, or an id or an address elsewhere. */
  readonly to?: string;
  /** The URN of a page of this stack. All that follows is told of such a page alone. */
  readonly urn?: string;
  /** The name that people know the page by. */
  readonly title?: string;
  readonly url?: string;
  readonly stands?: Standing;
  /** The run that has changed it last, as far as the history goes back. */
  readonly changed?: LastChange;
  /** The public page on a phone. JSON reports leave it out. */
  readonly picture?: PagePicture;
}

export interface LastChange {
  /** ISO-8601. */
  readonly at: string;
  readonly by: string;
  readonly run: string;
}

/** `runs`: the newest first. */
export function liveFunnels(
  told: ReadonlyMap<string, Told>,
  report: Pick<Report, "drift" | "drafts">,
  runs: readonly RunRecord[],
): LiveFunnel[] {
  const urls = publicUrls(told);
  const flows = [...told.values()].filter(({ urn, live }) => live !== null && isPublic(shortName(typeOf(urn)), "flow"));
  return flows.map((flow) => ({
    urn: flow.urn,
    name: nameOf(flow.urn),
    stands: standingOf(flow.urn, report) ?? "live",
    steps: flowOf(flow, told).map(({ op: _, ...step }): LiveStep => {
      const page = step.urn === undefined ? undefined : told.get(step.urn);
      if (page === undefined) return step;
      const { urn, outputs } = page;
      const [url, title, changed] = [urls.get(urn), outputs["name"], lastChange(page, runs)];
      return {
        ...step,
        ...(typeof title === "string" && { title }),
        ...(url !== undefined && { url }),
        stands: standingOf(urn, report) ?? (url === undefined ? "draft" : "live"),
        ...(changed && { changed }),
      };
    }),
  }));
}

function standingOf(urn: string, { drift = [], drafts = [] }: Pick<Report, "drift" | "drafts">): Standing | undefined {
  return drift.find((one) => one.urn === urn)?.kind ?? (drafts.some((one) => one.urn === urn) ? "edited" : undefined);
}

function lastChange({ urn }: Pick<Told, "urn">, runs: readonly RunRecord[]): LastChange | undefined {
  const [type, name] = [shortName(typeOf(urn)), nameOf(urn)];
  const isIts = (record: RunRecord): boolean =>
    (record.end?.changes ?? []).some((one) => one.type === type && one.name === name && one.status === "done");
  const { start } = runs.find(isIts) ?? {};
  return start && { at: start.at, by: start.by.name, run: start.id };
}
