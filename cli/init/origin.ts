/** Where this package was installed from, as a new project's package.json names it. */
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { packageRoot, version } from "../../stack/project/files.ts";

export interface Origin {
  /** For `dependencies`. */
  spec: string;
  /** A file or folder of this machine, which other machines don't have. */
  local: string | undefined;
}

export function origin(root = packageRoot, ownVersion = version): Origin {
  const parent = dirname(root);
  // A checkout: nothing was installed from anywhere.
  if (basename(parent) !== "node_modules") return fromFile(root);
  const resolved = resolvedIn(parent, basename(root));
  if (resolved === undefined || /^https?:/.test(resolved)) return { spec: `^${ownVersion}`, local: undefined };
  if (!resolved.startsWith("file:")) return { spec: resolved, local: undefined };
  const path = resolved.slice("file:".length);
  const file = isAbsolute(path) ? path : resolve(dirname(parent), path);
  return fromFile(existsSync(file) ? file : root);
}

function fromFile(path: string): Origin {
  return { spec: `file:${path}`, local: path };
}

/** npm notes in `node_modules` what it took each package from. Other installers don't: then it was a registry. */
function resolvedIn(folder: string, name: string): string | undefined {
  const file = join(folder, ".package-lock.json");
  if (!existsSync(file)) return undefined;
  try {
    const { packages = {} } = JSON.parse(readFileSync(file, "utf8")) as {
      packages?: Record<string, { resolved?: unknown; link?: boolean }>;
    };
    const found = packages[`node_modules/${name}`]?.resolved;
    return typeof found === "string" ? found : undefined;
  } catch {
    // Only a convenience is lost.
    return undefined;
  }
}
