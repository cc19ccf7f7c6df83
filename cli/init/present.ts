/** How a new project joins a folder that has files already. Pure. */

export interface PackageJson {
  type?: string;
  main?: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

/** Undefined where nothing is missing. What is there keeps its version, its order and its indentation. */
export function withDependencies(
  present: string,
  wanted: Required<Pick<PackageJson, "dependencies">> & Pick<PackageJson, "devDependencies">,
): string | undefined {
  const content = JSON.parse(present) as PackageJson;
  const known = { ...content.dependencies, ...content.devDependencies };
  const joined = (["dependencies", "devDependencies"] as const).flatMap((group) => {
    const missing = Object.entries(wanted[group] ?? {}).filter(([name]) => known[name] === undefined);
    const all = [...Object.entries(content[group] ?? {}), ...missing].sort(([a], [b]) => (a < b ? -1 : 1));
    return missing.length === 0 ? [] : [[group, Object.fromEntries(all)] as const];
  });
  if (joined.length === 0) return undefined;
  const indentation = /^[ \t]+/m.exec(present)?.[0] ?? "  ";
  const end = present.endsWith("\n") ? "\n" : "";
  return `${JSON.stringify({ ...content, ...Object.fromEntries(joined) }, undefined, indentation)}${end}`;
}

/** Adds the lines that the file lacks. */
export function ignoring(lines: string): (present: string | undefined) => string | undefined {
  return (present) => {
    if (present === undefined) return lines;
    const there = new Set(present.split(/\r?\n/).map((line) => line.trim().replace(/^\/|\/$/g, "")));
    const wanted = lines.split("\n").filter((line) => line !== "");
    const missing = wanted.filter((line) => !line.startsWith("#") && !there.has(line.replace(/\/$/, "")));
    if (missing.length === 0) return undefined;
    return `${present}${present === "" || present.endsWith("\n") ? "" : "\n"}${missing.join("\n")}\n`;
  };
}
