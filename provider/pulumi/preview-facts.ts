/**
 * The facts that a preview needs if no command line tells them: from the program's arguments, the stack's configuration, and the state of
 * the base, which is read where Pulumi keeps it. A program makes its resources at once, so all of this is found at once.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { baseObjects, holdsAny, namedObjects, type StoredResource } from "../preview/base.ts";
import { branchIn, checkoutIn } from "../preview/checkout.ts";
import { ENVIRONMENT, isTtl } from "../preview/stand-ins.ts";
import type { EnvironmentFacts, NamedObject, PreviewFacts } from "../preview/facts.ts";
import {
  environmentOfStack,
  isEnvironmentName,
  isPrefixable,
  SLUG_STYLES,
  type SlugStyle,
} from "../definition/in-preview.ts";
import { sanitize } from "../values/json.ts";
import { guided } from "./lookup-forms.ts";
import { findStateFolder } from "../ledger/place.ts";
import { runFacts } from "./run-facts.ts";

export const DEFAULT_TTL_DAYS = 14;

/** The arguments of a program that is a preview of itself. */
export interface PreviewArgs {
  /** Name of the environment, before its paths and names. Default: the stack's name. */
  readonly name?: string;
  /** The stack that is previewed. Default: the only one that is no preview. */
  readonly base?: string;
  /** Id or name of the site that its pages are published on. Default: the base's own. */
  readonly site?: string;
  /** Id or name of the project that it uses. Default: the base's own. */
  readonly project?: string;
  /** How the prefix stands before a path. Default: path. */
  readonly slugStyle?: SlugStyle;
  /** Make subscriptions, too. */
  readonly hooks?: boolean;
  /** Publish nothing. */
  readonly drafts?: boolean;
  /** Make pages as copies of the base's own. */
  readonly seed?: boolean;
  /** Days until it expires. Default: 14. */
  readonly ttlDays?: number;
  /**
   * The request that it is of, for its record and for the command that removes closed environments. Default: by its name (`pr-12`), and
   * what git and the CI say.
   */
  readonly pr?: number;
  readonly branch?: string;
  readonly commit?: string;
}

/** The facts that a preview has before it asks anybody, and the objects that it asks for by id or name. */
export interface StackFacts {
  readonly facts: PreviewFacts;
  readonly named: Readonly<Record<string, NamedObject | Promise<NamedObject>>>;
}

export function stackFacts(args: PreviewArgs): StackFacts {
  const config = new pulumi.Config("landform");
  const setting = (name: string, given: string | undefined): string | undefined => given ?? config.get(name);
  const stacks = foldersStacks(pulumi.getProject()) ?? askedStacks();
  const own = stacks.read(pulumi.getStack()) ?? [];
  if (!isPreview(own) && own.some(({ type }) => isOurs(type))) throw new pulumi.RunError(noPreview());
  const wanted = setting("previewBase", args.base);
  const base = wanted ?? onlyBase(stacks);
  const resources = base === undefined ? [] : stacks.read(base);
  if (resources === undefined) throw new pulumi.RunError(noBase(wanted ?? "", stacks.names()));
  const { slugStyle = "path", ttlDays = DEFAULT_TTL_DAYS } = args;
  if (!SLUG_STYLES.includes(slugStyle))
    throw new pulumi.RunError(
      `landform.preview(): slugStyle takes ${SLUG_STYLES.join(" or ")}, and this is "${slugStyle}"`,
    );
  if (!isTtl(ttlDays))
    throw new pulumi.RunError(`landform.preview(): ttlDays is a number of days, such as 14, and this is ${ttlDays}`);
  const named = namedBy({ site: setting("previewSite", args.site), project: setting("previewProject", args.project) });
  const environment: EnvironmentFacts = {
    name: nameOf(args),
    ...originOf(args),
    ...(base !== undefined && { base }),
    slugStyle,
    hooks: args.hooks === true,
    drafts: args.drafts === true,
    seed: args.seed === true,
    ttlDays,
  };
  return { facts: { environment, named: {}, base: baseObjects(resources) }, named };
}

/** Refuses a preview's stack in a program that is no preview. It reads files. Other backends are asked only if the stack may be a preview's. */
export function refuseOwnPreview(): void {
  // The command line looks itself.
  if (pulumi.runtime.getStackResource() === undefined || Object.keys(runFacts()).length > 0) return;
  const stack = pulumi.getStack();
  const stacks = foldersStacks(pulumi.getProject()) ?? (isEnvironmentName(stack) ? askedStacks() : undefined);
  if (!isPreview(stacks?.read(stack) ?? [])) return;
  throw new pulumi.RunError(
    `The stack ${stack} is a preview environment, and this run is no preview of it: it would take over what the base has ` +
      "adopted. Nothing was sent. Set LANDFORM_PREVIEW=1, or call landform.preview(); pulumi destroy takes it away.",
  );
}

function noPreview(): string {
  return (
    `The stack ${pulumi.getStack()} is no preview environment and has resources, so that a preview would take their place. ` +
    "Nothing was sent. Select a stack of its own for the preview (pulumi stack init pr-12), or unset LANDFORM_PREVIEW."
  );
}

function nameOf({ name }: PreviewArgs): string {
  if (name === undefined) return environmentOfStack(pulumi.getStack());
  if (isPrefixable(name)) return name;
  throw new pulumi.RunError(
    `"${name}" can't be the name of a preview, since paths begin with it: use at most 50 lower-case letters, digits and dashes.`,
  );
}

/** Returns the request, the branch and the commit that it is a preview of, as its record keeps them. */
function originOf(args: PreviewArgs): Pick<EnvironmentFacts, "pr" | "branch" | "commit" | "repository"> {
  const { branch, commit, repository } = checkoutIn(process.cwd());
  const pr = args.pr ?? (Number(/^pr-([1-9]\d*)$/.exec(nameOf(args))?.[1]) || undefined);
  return sanitize({ pr, branch: branchIn(args.branch) ?? branch, commit: args.commit ?? commit, repository });
}

/** Asks for the named objects. A program makes its resources at once, before anybody has answered. */
function namedBy(wanted: Readonly<Record<string, string | undefined>>): StackFacts["named"] {
  const kinds = Object.keys(wanted).filter((kind) => wanted[kind] !== undefined);
  if (kinds.length === 0) return {};
  const found = guided((api) => namedObjects(api, wanted), undefined);
  return Object.fromEntries(kinds.map((kind) => [kind, found.then((objects) => objects[kind] ?? notAsked(kind))]));
}

function notAsked(kind: string): never {
  throw new TypeError(`nobody looked for the ${kind} of the preview`);
}

interface OtherStacks {
  names(): string[];
  /** Undefined if there is no stack of that name. */
  read(stack: string): readonly StoredResource[] | undefined;
}

/** Returns the only other stack that is no preview itself. */
function onlyBase(stacks: OtherStacks): string | undefined {
  const isBase = (resources: readonly StoredResource[]): boolean => !isPreview(resources) && holdsAny(resources);
  const others = stacks
    .names()
    .filter((name) => name !== pulumi.getStack() && !isEnvironmentName(name) && isBase(stacks.read(name) ?? []));
  const [only, second] = others;
  if (second !== undefined)
    throw new pulumi.RunError(
      `A preview needs to know its base, and there are several stacks: ${others.join(", ")}. ` +
        "Set landform:previewBase in the stack's configuration, or call landform.preview({ base }).",
    );
  return only;
}

function isPreview(resources: readonly StoredResource[]): boolean {
  return resources.some(({ type }) => isOurs(type) && type.endsWith(`:${ENVIRONMENT}`));
}

function isOurs(type: string): boolean {
  return type.includes("dynamic/landform:");
}

function noBase(name: string, names: readonly string[]): string {
  return `The preview's base "${name}" is no stack of this project. It has ${names.join(", ") || "none"}.`;
}

/** Returns the stacks of a folder; undefined if states are not in plain files. This stack's own state is there in any case. */
function foldersStacks(project: string): OtherStacks | undefined {
  const { stateFolder } = runFacts();
  const root = stateFolder ?? findStateFolder(process.env, process.cwd());
  if (root === undefined) return undefined;
  const stacks = stacksIn(join(root, ".pulumi", "stacks", project));
  return stateFolder !== undefined || stacks.names().includes(pulumi.getStack()) ? stacks : undefined;
}

/** Reads states in files, as both engines keep them. */
function stacksIn(folder: string): OtherStacks {
  return {
    names: () =>
      existsSync(folder)
        ? readdirSync(folder)
            .filter((file) => file.endsWith(".json"))
            .map((file) => basename(file, ".json"))
        : [],
    read: (stack) => {
      const file = join(folder, `${stack}.json`);
      if (!existsSync(file)) return undefined;
      const stored = JSON.parse(readFileSync(file, "utf8")) as {
        checkpoint?: { latest?: { resources?: StoredResource[] } | null };
      };
      return stored.checkpoint?.latest?.resources ?? [];
    },
  };
}

const MOST_BYTES = 1024 ** 3;

/** Pulumi's command line reads every backend that it has. */
function askedStacks(): OtherStacks {
  let known: string[] | undefined;
  const names = (): string[] =>
    (known ??= (askPulumi("stack", "ls", "--json") as { name: string }[]).map(({ name }) =>
      name.slice(name.lastIndexOf("/") + 1),
    ));
  return {
    names,
    read: (stack) => {
      if (!names().includes(stack)) return undefined;
      const exported = askPulumi("stack", "export", "--stack", stack) as {
        deployment?: { resources?: StoredResource[] };
      };
      return exported.deployment?.resources ?? [];
    },
  };
}

function askPulumi(...args: string[]): unknown {
  try {
    const text = execFileSync("pulumi", [...args, "--non-interactive", "--color", "never"], {
      encoding: "utf8",
      maxBuffer: MOST_BYTES,
      stdio: ["ignore", "pipe", "pipe"],
    });
    return JSON.parse(text);
  } catch (error) {
    const { stderr = "", message } = error as Error & { stderr?: string };
    throw new pulumi.RunError(
      `A preview has to read the stack that it is a preview of, and \`pulumi ${args.join(" ")}\` failed: ${stderr.trim() || message}`,
    );
  }
}
