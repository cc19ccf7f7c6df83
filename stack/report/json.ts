/** The report as JSON, with paths and reasons as texts for programs that show them. Pure. */
import { formatPath } from "../../engine/index.ts";
import type { AlsoLive, Change, Drift, DriftField, Field, Impact, OtherCommand, Pending } from "./model.ts";
import type { Reason, RenderedText, Report, Verb } from "./model.ts";
import type { LiveFunnel, LiveFunnels, LiveStep, PagePicture, Pictures } from "./shown.ts";
import { funnelText, pendingText, reasonText } from "./reasons.ts";

/** `publish.slug`, or `content["hero.title"]`. */
type WithPath<Entry extends { path: unknown }> = Omit<Entry, "path"> & { path: string };
export type JsonField = WithPath<Field>;

export interface JsonChange extends Omit<Change, "fields" | "reason" | "rendered"> {
  fields: JsonField[];
  rendered?: WithPath<RenderedText>[];
  /** The rest of the reason, in words. */
  note?: string;
  /** The operation that a planned update may turn into once a value is known. */
  perhaps?: "replace" | "refuse";
}

export interface JsonDrift extends Omit<Drift, "fields"> {
  fields: WithPath<DriftField>[];
}

interface JsonImpact extends Omit<Impact, "funnels" | "alsoLive"> {
  funnels: { name: string; reason: string }[];
  alsoLive?: Omit<AlsoLive, "digest">[];
}

interface JsonPictures extends Omit<Pictures, "taken"> {
  taken: Omit<PagePicture, "before" | "after">[];
}

interface JsonFunnels extends Omit<LiveFunnels, "all"> {
  all: (Omit<LiveFunnel, "steps"> & { steps: Omit<LiveStep, "picture">[] })[];
}

export interface JsonReport extends Omit<
  Report,
  "command" | "changes" | "drift" | "impact" | "pending" | "pictures" | "funnels"
> {
  command: Verb | OtherCommand;
  changes: JsonChange[];
  drift?: JsonDrift[];
  impact?: JsonImpact;
  pictures?: JsonPictures;
  funnels?: JsonFunnels;
  pending: (Omit<Pending, "outcome"> & { outcome: string })[];
}

export function jsonReport(report: Omit<Report, "command"> & Pick<JsonReport, "command">): JsonReport {
  const { changes, drift, impact, pending, pictures, funnels, ...rest } = report;
  const { version, command, result, project, stack, engine, outputs, urls, findings, ...more } = rest;
  return {
    ...{ version, command, result, project, stack, engine, outputs, urls, findings },
    ...more,
    changes: changes.map(jsonChange),
    ...(drift && { drift: drift.map((one) => ({ ...one, fields: one.fields.map(withPath) })) }),
    ...(impact && { impact: jsonImpact(impact) }),
    ...(pictures && {
      pictures: { ...pictures, taken: pictures.taken.map(({ before, after, ...one }) => one) },
    }),
    ...(funnels && {
      funnels: {
        ...funnels,
        all: funnels.all.map((one) => ({ ...one, steps: one.steps.map(({ picture, ...step }) => step) })),
      },
    }),
    pending: pending.map((one) => ({ ...one, outcome: pendingText(one) })),
  };
}

function jsonImpact(impact: Impact): JsonImpact {
  const { funnels, alsoLive } = impact;
  return {
    ...impact,
    funnels: funnels.map((one) => ({ name: one.name, reason: funnelText(one) })),
    ...(alsoLive && { alsoLive: alsoLive.map(({ digest, ...one }) => one) }),
  };
}

function jsonChange({ fields, reason, rendered, ...rest }: Change): JsonChange {
  const uncertain = reason && PERHAPS[reason.code];
  return {
    ...rest,
    fields: fields.map(withPath),
    ...(rendered && { rendered: rendered.map(withPath) }),
    ...(reason && { note: reasonText(reason) }),
    ...(uncertain && { perhaps: uncertain }),
  };
}

const PERHAPS: Readonly<Partial<Record<Reason["code"], JsonChange["perhaps"]>>> = {
  ...{ "perhaps replaced": "replace", "perhaps refused": "refuse" },
};

function withPath<Entry extends { path: Field["path"] }>({ path, ...rest }: Entry): WithPath<Entry> {
  return { path: formatPath(path), ...rest };
}
