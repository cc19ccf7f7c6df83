/** Hand edits taken back into the code that declares them. */
import { join } from "node:path";
import { formatPath, nameOf, typeOf } from "../../engine/index.ts";
import { ExportError } from "../../manifest/export/index.ts";
import { writeLiveValues, type LiveValues, type WrittenLive } from "../../manifest/index.ts";
import { UsageError } from "../exit/codes.ts";
import { MANIFEST } from "../project/open.ts";
import { outsideOf } from "../project/outside.ts";
import { SECRET, type Drift, type Report } from "../report/model.ts";
import { shortName } from "../report/steps.ts";
import type { StackSession } from "./session.ts";

/** Says what was written, and what was left for somebody to do. */
export async function writeDrift(session: StackSession, { drift = [] }: Report): Promise<WrittenLive> {
  const { folder, output } = session;
  if (folder.manifest === undefined)
    throw new UsageError(
      `--write puts values into ${MANIFEST}, and this project is a program. Where it stands: ${placesText(drift)}`,
    );
  const changed = drift.filter(({ kind }) => kind === "changed");
  const written = await writeInto(join(folder.root, MANIFEST), changed, session);
  const left = [...written.kept, ...secretsIn(changed), ...drift.filter(({ kind }) => kind === "gone").map(goneText)];
  output.line();
  for (const what of written.updated) output.line(`  written  ${what}`);
  for (const what of left) output.line(`  left     ${what}`);
  if (written.files.length > 0)
    output.line(
      `${written.files.join(", ")} ${written.files.length === 1 ? "says" : "say"} now what is live. npx landform up --refresh takes it into the state.`,
    );
  else output.line("Nothing was written.");
  return written;
}

async function writeInto(path: string, changed: readonly Drift[], session: StackSession): Promise<WrittenLive> {
  const records = (await session.engine.records()) ?? [];
  const owners = new Map(records.map(({ id, urn }) => [id, { type: shortName(typeOf(urn)), name: nameOf(urn) }]));
  const { root, stack } = session.folder;
  const live = changed.map(liveValues);
  try {
    return writeLiveValues(path, live, { outside: await outsideOf(root, stack), owner: (id) => owners.get(id) });
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
