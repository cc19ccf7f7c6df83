/**
 * What a preview has to know, where no command line tells it: from what the program says, the stack's configuration, and the
 * state of the base, which is read where Pulumi keeps it. A program makes its resources at once, so all of this is found at once.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { baseObjects, type StoredResource } from "../preview/base.ts";
import { ENVIRONMENT } from "../preview/environment.ts";
import type { NamedObject, PreviewFacts } from "../preview/facts.ts";
import { SLUG_STYLES } from "../preview/names.ts";
import type { PreviewArgs } from "./preview.ts";
import { runFacts } from "./run-facts.ts";

export const DEFAULT_TTL_DAYS = 14;

export function stackFacts(args: PreviewArgs): PreviewFacts {
  const config = new pulumi.Config("landform");
  const setting = (name: string, given: string | undefined): string | undefined => given ?? config.get(name);
  const stacks = stacksOf(pulumi.getProject());
  const wanted = setting("previewBase", args.base);
  const base = wanted ?? onlyBase(stacks);
  const resources = base === undefined ? [] : stacks.read(base);
  if (resources === undefined) throw new pulumi.RunError(noBase(wanted ?? "", stacks.names()));
  const { slugStyle = "path" } = args;
  if (!SLUG_STYLES.includes(slugStyle))
    throw new pulumi.RunError(
      `landform.preview(): slugStyle takes ${SLUG_STYLES.join(" or ")}, and this is "${slugStyle}"`,
    );
  return {
    environment: {
      name: args.name ?? pulumi.getStack(),
      ...(base !== undefined && { base }),
      slugStyle,
      hooks: args.hooks === true,
      drafts: args.drafts === true,
      seed: args.seed === true,
      ttlDays: args.ttlDays ?? DEFAULT_TTL_DAYS,
    },
    named: namedById({ site: setting("previewSite", args.site), project: setting("previewProject", args.project) }),
    base: baseObjects(resources),
  };
}

/** Without a command line nobody can be asked for a name in time, so these are ids. */
function namedById(wanted: Readonly<Record<string, string | undefined>>): Record<string, NamedObject> {
  return Object.fromEntries(
    Object.entries(wanted).flatMap(([kind, id]) => (id === undefined ? [] : [[kind, { id }] as const])),
  );
}

interface OtherStacks {
  names(): string[];
  /** Undefined where there is none of that name. */
  read(stack: string): readonly StoredResource[] | undefined;
}

/** The only one beside this that is no preview itself. */
function onlyBase(stacks: OtherStacks): string | undefined {
  const others = stacks.names().filter((name) => name !== pulumi.getStack() && !isPreview(stacks.read(name) ?? []));
  const [only, second] = others;
  if (second !== undefined)
    throw new pulumi.RunError(
      `A preview needs to know its base, and there are several stacks: ${others.join(", ")}. ` +
        "Set landform:previewBase in the stack's configuration, or call landform.preview({ base }).",
    );
  return only;
}

function isPreview(resources: readonly StoredResource[]): boolean {
  return resources.some(({ type }) => type.endsWith(`:${ENVIRONMENT}`) && type.includes("dynamic/landform"));
}

function noBase(name: string, names: readonly string[]): string {
  return `The preview's base "${name}" is no stack of this project. It has ${names.join(", ") || "none"}.`;
}

function stacksOf(project: string): OtherStacks {
  const { stateFolder } = runFacts();
  const folder = stateFolder === undefined ? undefined : join(stateFolder, ".pulumi", "stacks", project);
  return folder !== undefined ? new FolderStacks(folder) : new AskedStacks();
}

/** In files, as both engines keep them. */
class FolderStacks implements OtherStacks {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  names(): string[] {
    if (!existsSync(this.#folder)) return [];
    return readdirSync(this.#folder)
      .filter((file) => file.endsWith(".json"))
      .map((file) => basename(file, ".json"));
  }

  read(stack: string): readonly StoredResource[] | undefined {
    const file = join(this.#folder, `${stack}.json`);
    if (!existsSync(file)) return undefined;
    const stored = JSON.parse(readFileSync(file, "utf8")) as {
      checkpoint?: { latest?: { resources?: StoredResource[] } | null };
    };
    return stored.checkpoint?.latest?.resources ?? [];
  }
}

const MOST_BYTES = 1024 ** 3;

/** Pulumi's command line reads every backend that it has. */
class AskedStacks implements OtherStacks {
  names(): string[] {
    const listed = JSON.parse(this.#ask("stack", "ls", "--json")) as { name: string }[];
    return listed.map(({ name }) => name.slice(name.lastIndexOf("/") + 1));
  }

  read(stack: string): readonly StoredResource[] | undefined {
    if (!this.names().includes(stack)) return undefined;
    const exported = JSON.parse(this.#ask("stack", "export", "--stack", stack)) as {
      deployment?: { resources?: StoredResource[] };
    };
    return exported.deployment?.resources ?? [];
  }

  #ask(...args: string[]): string {
    try {
      return execFileSync("pulumi", [...args, "--non-interactive", "--color", "never"], {
        encoding: "utf8",
        maxBuffer: MOST_BYTES,
        stdio: ["ignore", "pipe", "pipe"],
      });
    } catch (error) {
      const { stderr = "", message } = error as Error & { stderr?: string };
      throw new pulumi.RunError(
        `A preview has to read the stack that it is a preview of, and \`pulumi ${args.join(" ")}\` failed: ${stderr.trim() || message}`,
      );
    }
  }
}
