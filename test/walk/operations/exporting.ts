/** Merges an export into a manifest in a person's style: with CRLF and comments. */
import { isDeepStrictEqual } from "node:util";
import { Document, isMap, isScalar } from "yaml";
import { entriesOf, manifestOf, programIn } from "../program.ts";
import { type Operation, pick, type World } from "./world.ts";

/** The limits of an export. The whole account comes as often as all parts. */
const PARTS = [[], [], [], ["pages"], ["products"], ["funnels", "sites"], ["projects", "quizzes"]];

export const mergeExport: Operation = async (world, { a, b }) => {
  const { desk, second, stack } = world;
  // Two stacks of one account have a part each, and an export takes all.
  if (stack === "two" || (second !== undefined && entriesOf(second.program).length > 0)) return undefined;
  const part = pick(PARTS, a) ?? [];
  const isSettled = isDeepStrictEqual(world.applied, world.program);
  const before = handwritten(world, b % 2 === 0 ? 2 : 4);
  desk.write("landform.yaml", before);
  const { code, printed } = await desk.export(...part.flatMap((kind) => ["--include", kind]));
  const done = `export ${part.join(", ") || "of everything"} into landform.yaml`;
  if (code === 4 && (await desk.command("check")).code !== 0) return `${done}, which is refused`;
  if (code !== 0 && code !== 2) throw new Error(`${done} ended with ${code}:\n${printed}`);
  for (const id of world.byHand) world.drafted.add(id);
  const after = desk.read("landform.yaml");
  const lost = before.match(/# about .*\r\n/g)?.filter((comment) => !after.includes(comment)) ?? [];
  if (lost.length > 0) throw new Error(`${done} lost comments: ${lost.join("")}\n${after}`);
  if (after.replaceAll("\r\n", "").includes("\n")) throw new Error(`${done} mixes line ends:\n${after}`);
  if (isSettled && part.length === 0) await expectTakenOver(world, done);
  world.program = programIn(desk.folder, after);
  return done;
};

function handwritten({ program }: World, indent: number): string {
  const document = new Document(manifestOf(program));
  const sections = isMap(document.contents) ? document.contents.items : [];
  for (const { key: section, value } of sections)
    for (const { key } of isMap(value) ? value.items : [])
      if (isScalar(key)) key.commentBefore = ` about ${String(section)} ${String(key)}`;
  // The writer's indicators of block scalars are those of two spaces.
  return document.toString({ lineWidth: 60, indent, blockQuote: indent === 2 }).replaceAll("\n", "\r\n");
}

/** Checks that the code now has everything in the account: there is nothing to write. */
async function expectTakenOver({ desk, byHand, stack }: World, done: string): Promise<void> {
  const there = new Set(Object.values(desk.emulator.records()).flatMap((records) => records.map(({ id }) => id)));
  if ([...byHand].some((id) => !there.has(id))) return;
  const { report, printed } = await desk.run("preview", "--refresh", "--stack", stack);
  // A newly declared text is sent once, as it is. Edits that wait in a draft are published.
  const writes = report.changes.filter(
    ({ op, fields, note = "" }) =>
      op !== "adopt" &&
      !fields.every(
        ({ kind, path, stays }) =>
          stays === true ||
          (kind === "add" &&
            (/^content\b/.test(path) || (path === "adoptId" && /^publishes .* has this value already$/.test(note)))),
      ),
  );
  if (report.failures.length > 0 || writes.length > 0)
    throw new Error(`${done} is followed by a plan that writes:\n${desk.read("landform.yaml")}\n${printed}`);
}
