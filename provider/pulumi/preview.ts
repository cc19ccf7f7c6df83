/** Runs a program as a preview, if the command line says so. The program stays as it is. This finds out what its resources are registered as. */
import * as pulumi from "@pulumi/pulumi";
import { hostLine, TYPED_LINES } from "../messages/host-lines.ts";
import type { Notice } from "../messages/notices.ts";
import { type MarkOf, marksOnOneSite, type Moved, movesOf, UNMARKED } from "../preview/addresses.ts";
import { ENVIRONMENT } from "../preview/stand-ins.ts";
import type { PreviewFacts } from "../preview/facts.ts";
import { hasHost } from "../preview/base.ts";
import { prefixOf } from "../definition/in-preview.ts";
import { handlerReference } from "./registered.ts";
import { runFacts } from "./run-facts.ts";

export interface Scope {
  readonly facts: PreviewFacts;
  readonly environment: pulumi.CustomResource;
  readonly prefix: string;
  /** Returns the marks that tell paths of pages apart if all pages come to one site. */
  readonly mark: MarkOf;
  /** Addresses of the base's pages, with their addresses here. */
  readonly moves: readonly Moved[];
}

class Environment extends pulumi.CustomResource {
  constructor({ environment, token, named }: PreviewFacts) {
    const ids = Object.entries(named).map(([kind, { id, name }]) => [kind, { id, name }] as const);
    super(`pulumi-nodejs:dynamic/landform:${ENVIRONMENT}`, environment.name, {
      ...environment,
      ...{ named: Object.fromEntries(ids), token },
      ...{ createdAt: undefined, pushedAt: undefined, expiresAt: undefined },
      __provider: handlerReference("environment"),
    });
  }
}

/** The scope of each run of a program in this process, by its stack resource. */
const scopes = new WeakMap<object, Scope>();
/** A program without a stack is one of a test. */
const NO_STACK = {};

/** Returns the scope; undefined if the program runs as itself. */
export function previewScope(): Scope | undefined {
  const facts = runFacts().preview;
  if (facts === undefined) return undefined;
  const run = pulumi.runtime.getStackResource() ?? NO_STACK;
  leaveOptionsOut();
  const scope = scopes.get(run) ?? scopeOf(facts);
  scopes.set(run, scope);
  return scope;
}

/** Options by which resources stay. A preview does without them, since all of it has to go again, and names those that it leaves out. */
type LeftOutOption = Extract<Notice, { code: "option-left-out" }>["option"];

/** Takes the options away, and warns of them. */
export function withoutStaying<Options extends pulumi.CustomResourceOptions>(
  options: Options,
  kind: string,
  name: string,
) {
  for (const option of ["protect", "retainOnDelete"] satisfies LeftOutOption[])
    if (options[option] === true)
      void pulumi.log.warn(hostLine({ code: "option-left-out", kind, id: "", name, option }, TYPED_LINES));
  return { ...options, protect: false, retainOnDelete: false };
}

const withoutOptions = new WeakSet<object>();

/** Leaves options out for components, too, and for resources of other providers. Our own resources do this themselves (preview-registration.ts). */
function leaveOptionsOut(): void {
  const stack = pulumi.runtime.getStackResource();
  if (stack === undefined || withoutOptions.has(stack)) return;
  withoutOptions.add(stack);
  pulumi.runtime.registerStackTransformation(({ type, name, props, opts }) => {
    if (type.startsWith("pulumi-nodejs:dynamic/landform:")) return undefined;
    return { props, opts: withoutStaying(opts, type.slice(type.lastIndexOf(":") + 1), name) };
  });
}

/**
 * Runs before the program says a word: what it makes before its first resource of ours counts, too. (A process that loads this before it
 * has its work knows of no run. Processes of a preview don't: stack/engines/embedded.ts.)
 */
if (runFacts().preview !== undefined) leaveOptionsOut();

function scopeOf(facts: PreviewFacts): Scope {
  const { environment: about, token, base, named } = facts;
  const { slugStyle, drafts } = about;
  const prefix = prefixOf(about.name, token);
  const mark = hasHost(named) ? marksOnOneSite(base) : UNMARKED;
  const host = Object.values(named).find(({ root }) => root !== undefined);
  const moves = drafts ? [] : movesOf(base, { prefix, slugStyle, host, mark });
  return { facts, environment: new Environment(facts), prefix, mark, moves };
}
