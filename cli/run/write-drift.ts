/** Hand edits taken back into the code that declares them. */
import { join } from "node:path";
import { formatPath, nameOf, typeOf } from "../../engine/index.ts";
import { ExportError } from "../../manifest/export/index.ts";
import { liveTexts, writeLiveTexts, type LiveTexts, type LiveValues } from "../../manifest/index.ts";
import { UsageError } from "../exit/codes.ts";
import { MANIFEST } from "../project/open.ts";
import { outsideOf } from "../project/outside.ts";
import { SECRET, type Drift, type Report } from "../report/model.ts";
import { shortName } from "../report/steps.ts";
import type { StackSession } from "./session.ts";

/** Says what was written, and what was left for somebody to do. */
export async function writeDrift(session: StackSession, report: Report): Promise<void> {
  const { folder, output } = session;
  const { drift = [] } = report;
  if (folder.manifest === undefined)
    throw new UsageError(
      `--write puts values into ${MANIFEST}, and this project is a program. Where it stands: ${placesText(drift)}`,
    );
  const texts = await driftTexts(session, report);
  const files = usable(() => writeLiveTexts(manifestPath(session), texts));
  output.line();
  for (const what of texts.updated) output.line(`  written  ${what}`);
  for (const what of texts.kept) output.line(`  left     ${what}`);
  if (files.length > 0)
    output.line(
      `${files.join(", ")} ${files.length === 1 ? "says" : "say"} now what is live. npx landform up --refresh takes it into the state.`,
    );
  else output.line("Nothing was written.");
}

/** What the manifest's files would say, and what can't be written into them. */
export async function driftTexts(session: StackSession, { drift = [] }: Report): Promise<LiveTexts> {
  const changed = drift.filter(({ kind }) => kind === "changed");
  const records = (await session.engine.records()) ?? [];
  const owners = new Map(records.map(({ id, urn }) => [id, { type: shortName(typeOf(urn)), name: nameOf(urn) }]));
  const settings = {
    outside: await outsideOf(session.folder.root, session.folder.stack),
    owner: (id: string) => owners.get(id),
  };
  const texts = usable(() => liveTexts(manifestPath(session), changed.map(liveValues), settings));
  const gone = drift.filter(({ kind }) => kind === "gone").map(goneText);
  return { ...texts, kept: [...texts.kept, ...secretsIn(changed), ...gone] };
}

function manifestPath({ folder }: StackSession): string {
  return join(folder.root, MANIFEST);
}

function usable<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof ExportError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}

/** What a report hides is no text to write. */
function liveValues({ type, name, fields }: Drift): LiveValues {
  const shown = fields.filter(({ live }) => !JSON.stringify(live ?? null).includes(SECRET));
  return { type, name, fields: shown.map(({ path, live }) => ({ path, value: live })) };
}

function secretsIn(changed: readonly Drift[]): string[] {
  return changed.flatMap(({ type, name, fields }) =>
    fields.flatMap(({ path, live }) =>
      JSON.stringify(live ?? null).includes(SECRET) ? [`${type} ${name} ${formatPath(path)} (a secret)`] : [],
    ),
  );
}

function goneText({ type, name }: Drift): string {
  return `${type} ${name} (deleted in the app: take it out, or let up make it again)`;
}

const MOST_PLACES = 10;

function placesText(drift: readonly Drift[]): string {
  const places = drift.flatMap(({ type, name, fields }) =>
    fields.map(({ path }) => `${type} ${name} ${formatPath(path)}`),
  );
  const more = places.length - MOST_PLACES;
  return [...places.slice(0, MOST_PLACES), ...(more > 0 ? [`${more} more`] : [])].join(", ") || "nothing to write";
}
