/**
 * Bundles the compiled package into few large modules, because finding, reading and linking hundreds of modules takes most of a small command's time.
 * The compiler writes the declarations beside them.
 */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { type OutputChunk, type Plugin, type RenderedChunk, rolldown } from "rolldown";
import { parseSync } from "rolldown/utils";
import manifest from "../package.json" with { type: "json" };

const ROOT = join(import.meta.dirname, "..");
const DIST = join(ROOT, "dist");

/** The modules that others import, start or require by their path. */
const ENTRIES = [
  ...Object.values(manifest.exports).flatMap((entry) => (typeof entry === "string" ? [] : [entry.default])),
  manifest.bin.landform,
]
  .map((path) => path.replace(/^\.\/dist\/|^dist\/|\.js$/g, ""))
  .concat(
    "stack/engines/child-hook",
    "stack/engines/pulumi/child",
    "stack/engines/pulumi/host/plugin",
    "stack/engines/pulumi/host/process",
    "engine/sdk/child-hook",
    "engine/link/light-host",
    "engine/sdk/spare-hook",
    "manifest/data/program",
    "manifest/program",
    "provider/pulumi/replay",
  );

/** Modules outside of the bundle: the program's own copy of the SDK, and modules that load only when they are needed. */
const OUTSIDE = /^(node:|@pulumi\/|playwright-core$)/;

const placed = new Set<string>();

/** A module finds the files beside its source, whatever module it was bundled into. */
const OWN_PLACE: Plugin = {
  name: "own-place",
  transform(code, id) {
    if (!id.startsWith(ROOT) || id.includes("node_modules") || !code.includes("import.meta.")) return null;
    const place = relative(ROOT, id).split(sep).join("/").replace(/\.ts$/, ".js");
    placed.add(id);
    let text = code;
    // Goes from the last place on, so that the earlier ones keep their offsets. A text in a written program is no expression.
    const places = ownPlacesIn(parseSync(id, code).program).sort((a, b) => b.start - a.start);
    for (const { start, end, what } of places)
      text = `${text.slice(0, start)}ownPlace("${place}", "${what}")${text.slice(end)}`;
    // No line moves, so the map stays valid.
    return { code: text, map: null };
  },
};

/** Finds the places where a module asks for its own address. */
function ownPlacesIn(node: unknown): { start: number; end: number; what: string }[] {
  if (typeof node !== "object" || node === null) return [];
  const { type, object, property, start, end } = node as Record<string, unknown> & { start: number; end: number };
  const what = (property as { name?: string } | undefined)?.name ?? "";
  const isMeta = type === "MemberExpression" && (object as { type: string }).type === "MetaProperty";
  if (isMeta && ["url", "filename", "dirname"].includes(what)) return [{ start, end, what }];
  return Object.values(node).flatMap(ownPlacesIn);
}

function placesIn({ fileName, moduleIds }: RenderedChunk): string {
  if (!moduleIds.some((id) => placed.has(id))) return "";
  const up = relative(dirname(fileName), ".").split(sep).join("/") || ".";
  return `import { fileURLToPath as ownPath } from "node:url";
function ownPlace(place, what) {
  const url = new URL(\`${up}/\${place}\`, import.meta.url);
  return what === "url" ? url.href : ownPath(what === "filename" ? url : new URL(".", url)).replace(/[\\\\/]$/, "");
}`;
}

const bundle = await rolldown({
  cwd: ROOT,
  input: Object.fromEntries(ENTRIES.map((entry) => [entry, join(ROOT, `${entry}.ts`)])),
  platform: "node",
  external: OUTSIDE,
  plugins: [OWN_PLACE],
});
const { output } = await bundle.write({
  dir: DIST,
  entryFileNames: "[name].js",
  chunkFileNames: "chunks/[name].js",
  intro: placesIn,
  // Hidden from the modules: Pulumi's SDK reads the maps of all code in a stack trace, and takes a trace for each resource.
  sourcemap: "hidden",
});
await bundle.close();

removeOld(new Set(output.map(({ fileName }) => join(DIST, fileName))));
writeFileSync(join(DIST, "THIRD-PARTY.txt"), licences(output.filter((file) => file.type === "chunk")));

/** Removes the output of earlier builds. Another script writes the declarations. */
function removeOld(written: ReadonlySet<string>): void {
  for (const entry of readdirSync(DIST, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (entry.isFile() && !file.endsWith(".d.ts") && !written.has(file)) rmSync(file);
  }
}

/** Returns the licence texts of the packages in the bundle. */
function licences(chunks: readonly OutputChunk[]): string {
  const folders = chunks
    .flatMap(({ moduleIds }) => moduleIds)
    .map((id) => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id)?.[0])
    .filter((folder) => folder !== undefined);
  return [...new Set(folders)]
    .sort()
    .map(licence)
    .join(`\n${"-".repeat(80)}\n\n`);
}

function licence(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Record<
    string,
    string
  >;
  const file = ["LICENSE", "LICENSE.md", "license", "LICENCE"].map((each) => join(folder, each)).find(existsSync);
  const text = file === undefined ? "" : `\n${readFileSync(file, "utf8").trim()}\n`;
  return `${name} ${version} (${license})\n${text}`;
}
