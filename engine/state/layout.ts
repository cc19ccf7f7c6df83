import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { InvalidNameError, UnsupportedBackendError } from "./errors.ts";
import type { StackRef } from "./types.ts";

/** The places of a stack's files below the backend's folder: Pulumi's project-scoped layout (version 1). */
export class Layout {
  readonly root: string;

  constructor(root: string) {
    this.root = root;
  }

  get bookkeeping(): string {
    return join(this.root, ".pulumi");
  }
  get meta(): string {
    return join(this.bookkeeping, "meta.yaml");
  }
  get stacks(): string {
    return join(this.bookkeeping, "stacks");
  }
  projectStacks(project: string): string {
    return join(this.stacks, checkedName("project", project));
  }
  /** Returns the path without `.gz` or `.zst`. */
  checkpoint(ref: StackRef): string {
    return this.#stackFile(ref, ".json");
  }
  journal(ref: StackRef): string {
    return this.#stackFile(ref, ".journal");
  }
  tags(ref: StackRef): string {
    return this.#stackFile(ref, ".pulumi-tags");
  }
  locks(ref: StackRef): string {
    return this.#stackFolder(join("locks", ORGANIZATION), ref);
  }
  history(ref: StackRef): string {
    return this.#stackFolder("history", ref);
  }
  backups(ref: StackRef): string {
    return this.#stackFolder("backups", ref);
  }

  /** Returns every file and folder of a stack below the bookkeeping folder, which its owner may place anywhere. */
  placesOf(ref: StackRef): string[] {
    const checkpoint = this.checkpoint(ref);
    const files = ["", ".gz", ".zst"].map((extension) => checkpoint + extension);
    const folders = [this.locks(ref), this.history(ref), this.backups(ref)];
    return [
      ...[this.meta, join(this.bookkeeping, "locks"), this.stacks, this.projectStacks(ref.project)],
      ...files.flatMap((file) => [file, `${file}.bak`]),
      ...[this.journal(ref), this.tags(ref)],
      ...folders.flatMap((folder) => [dirname(dirname(folder)), dirname(folder), folder]),
    ];
  }

  #stackFile(ref: StackRef, extension: string): string {
    return join(this.projectStacks(ref.project), checkedName("stack", ref.stack) + extension);
  }
  #stackFolder(kind: string, ref: StackRef): string {
    return join(this.bookkeeping, kind, checkedName("project", ref.project), checkedName("stack", ref.stack));
  }
}

/** File backends have one organization, with this name. */
export const ORGANIZATION = "organization";

/** Returns the name that Pulumi writes for a stack into its checkpoint. */
export function qualifiedName(ref: StackRef): string {
  return `${ORGANIZATION}/${ref.project}/${ref.stack}`;
}

export function isName(text: string): boolean {
  return /^[A-Za-z0-9_.-]{1,100}$/.test(text) && !/^\.+$/.test(text);
}

/** Returns the folder of a backend address. A relative one starts at `base`. */
export function backendFolder(urlOrFolder: string, base = process.cwd()): string {
  const scheme = /^([a-z][a-z0-9+.-]+):\/\//i.exec(urlOrFolder)?.[1];
  if (scheme === undefined) return resolve(base, expandHome(urlOrFolder));
  if (scheme !== "file")
    throw new UnsupportedBackendError(
      `the backend ${withoutCredentials(urlOrFolder)} is not a folder; the embedded engine keeps state in files only: set PULUMI_BACKEND_URL=file://DIR, or use the real Pulumi engine`,
    );
  const path = urlOrFolder.slice("file://".length).replace(/\?.*$/s, "");
  return resolve(base, expandHome(decodePath(path)));
}

export function checkedName(what: string, name: string): string {
  if (isName(name)) return name;
  throw new InvalidNameError(
    `"${name}" is not a valid ${what} name; use 1 to 100 letters, digits, hyphens, underscores and periods`,
  );
}

function expandHome(path: string): string {
  return path === "~" || path.startsWith("~/") ? join(homedir(), path.slice(1)) : path;
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function withoutCredentials(url: string): string {
  return url.replace(/\/\/[^/@]*@/, "//").replace(/\?.*$/s, "");
}
