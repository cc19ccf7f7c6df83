/** Tells the funnels of a stack as visitors meet them: the steps, how each page stands, and who changed it last. Pure. */
import { nameOf, typeOf } from "../../engine/index.ts";
import { flowOf, isPublic } from "./impact.ts";
import type { Report } from "./model.ts";
import type { LastChange, LiveFunnel, LiveStep, Standing } from "./shown.ts";
import { publicUrls, shortName, type Told } from "./steps.ts";

/** A run of the history, with what it has changed. */
export interface PastRun extends LastChange {
  readonly changes: readonly { readonly type: string; readonly name: string; readonly status?: string }[];
}

/** `runs`: the newest first. */
export function liveFunnels(
  told: ReadonlyMap<string, Told>,
  report: Pick<Report, "drift" | "drafts">,
  runs: readonly PastRun[],
): LiveFunnel[] {
  const urls = publicUrls(told);
  const flows = [...told.values()].filter(({ urn, live }) => live !== null && isPublic(typeOf(urn), "flow"));
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

function lastChange({ urn }: Pick<Told, "urn">, runs: readonly PastRun[]): LastChange | undefined {
  const [type, name] = [shortName(typeOf(urn)), nameOf(urn)];
  const last = runs.find(({ changes }) =>
    changes.some((one) => one.type === type && one.name === name && one.status === "done"),
  );
  return last && { at: last.at, by: last.by, run: last.run };
}
