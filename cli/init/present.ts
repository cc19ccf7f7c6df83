/** How a new project joins a folder that has files already. Pure. */

export interface PackageJson {
  type?: string;
  main?: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

/** Undefined where nothing is missing. What is there keeps its version, its order and its indentation. */
export function withDependencies(present: string, dependencies: Readonly<Record<string, string>>): string | undefined {
  const content = JSON.parse(present) as PackageJson;
  const known = { ...content.dependencies, ...content.devDependencies };
  const missing = Object.entries(dependencies).filter(([name]) => known[name] === undefined);
  if (missing.length === 0) return undefined;
  const all = { ...content.dependencies, ...Object.fromEntries(missing) };
  const sorted = Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)));
  const indentation = /^[ \t]+/m.exec(present)?.[0] ?? "  ";
  const end = present.endsWith("\n") ? "\n" : "";
  return `${JSON.stringify({ ...content, dependencies: sorted }, undefined, indentation)}${end}`;
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
