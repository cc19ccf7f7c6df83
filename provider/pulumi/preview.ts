/**
 * Running a program as a preview: LANDFORM_PREVIEW, the command line, or a program that says so itself. The program stays as
 * it is; what its resources are registered as is found out here.
 */
import * as pulumi from "@pulumi/pulumi";
import { movesOf, type Moved } from "../preview/addresses.ts";
import { ENVIRONMENT } from "../preview/environment.ts";
import type { PreviewFacts } from "../preview/facts.ts";
import { prefixOf, type SlugStyle } from "../preview/names.ts";
import { stackFacts } from "./preview-facts.ts";
import { mapValue } from "./preview-values.ts";
import { runFacts } from "./run-facts.ts";

/** What a program that is a preview of itself says. */
export interface PreviewArgs {
  /** Of the environment, before its paths and names. Default: the stack's name. */
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
}

/** What a preview knows while its program runs. */
export interface Scope {
  readonly facts: PreviewFacts;
  readonly environment: pulumi.CustomResource;
  readonly prefix: pulumi.Input<string>;
  /** Addresses of the base's pages, and where they are here. */
  readonly moves: pulumi.Input<readonly Moved[]>;
}

class Environment extends pulumi.CustomResource {
  declare readonly token: pulumi.Output<string>;

  constructor({ environment, token, named }: PreviewFacts) {
    const ids = Object.fromEntries(Object.entries(named).map(([kind, { id, name }]) => [kind, { id, name }]));
    super(`pulumi-nodejs:dynamic/landform:${ENVIRONMENT}`, environment.name, {
      ...environment,
      named: ids,
      token,
      createdAt: undefined,
      pushedAt: undefined,
      expiresAt: undefined,
      __provider: 'exports.handler=()=>require("landform/dynamic").environment',
    });
  }
}

/** Of each run of a program in this process, by its stack resource. */
const scopes = new WeakMap<object, Scope | "none">();
/** What a program said before it made anything. */
const said = new WeakMap<object, PreviewArgs>();

/** To be called before the first resource: all that follows is a preview of the base, and touches nothing of it. */
export function preview(args: PreviewArgs = {}): void {
  const run = runKey();
  if (scopes.has(run))
    throw new pulumi.RunError("landform.preview() comes too late: call it before the first resource");
  said.set(run, args);
}

/** Undefined where the program runs as itself. */
export function previewScope(): Scope | undefined {
  const run = runKey();
  const known = scopes.get(run);
  if (known !== undefined) return known === "none" ? undefined : known;
  const facts = factsInForce(said.get(run));
  if (facts === undefined) {
    scopes.set(run, "none");
    return undefined;
  }
  const scope = scopeOf(facts);
  scopes.set(run, scope);
  return scope;
}

/** A program without a stack is one of a test. */
const NO_STACK = {};

function runKey(): object {
  return pulumi.runtime.getStackResource() ?? NO_STACK;
}

/** The command line's word goes before all others. */
function factsInForce(args: PreviewArgs | undefined): PreviewFacts | undefined {
  const known = runFacts().preview;
  if (known) return known;
  const variable = process.env["LANDFORM_PREVIEW"] ?? "";
  if (OFF.has(variable.toLowerCase())) return args && stackFacts(args);
  return stackFacts({ ...(ON.has(variable.toLowerCase()) ? {} : { name: variable }), ...args });
}

const OFF = new Set(["", "0", "false", "no"]);
const ON = new Set(["1", "true", "yes"]);

function scopeOf(facts: PreviewFacts): Scope {
  const { environment: about, token, named, base } = facts;
  const environment = new Environment(facts);
  const prefix = mapValue(token ?? environment.token, (known) => prefixOf(about.name, known)) as pulumi.Input<string>;
  const { slugStyle } = about;
  const moves = about.drafts
    ? []
    : (mapValue(prefix, (known) =>
        movesOf(Object.values(base), { prefix: known, slugStyle, host: hostIn(named) }),
      ) as pulumi.Input<readonly Moved[]>);
  return { facts, environment, prefix, moves };
}

/** What is public has an address below it. */
function hostIn(named: PreviewFacts["named"]): PreviewFacts["named"][string] | undefined {
  return Object.values(named).find(({ root }) => root !== undefined);
}
