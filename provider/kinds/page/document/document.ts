/**
 * A page's draft as the service shows it: the fields of the content map, and the leaves of the builder tree, each under its node. The
 * specification shows the shape of neither. It does not say if the content map is of the draft or of the published version. The tree is the
 * draft's, and the map gives its texts names.
 */
import type { z } from "zod";
import type { PageFields } from "../../../account/documents.ts";
import { ApiError, ForbiddenError } from "../../../api/index.ts";
import type { Apply } from "../../../definition/define.ts";
import type { ObjectState } from "../../../reconcile/object-state.ts";
import type { RunContext } from "../../../reconcile/run-context.ts";
import type { inputsOf } from "./inputs.ts";
import type { Json } from "../../../values/json.ts";
import { nodesIn, type Nodes } from "../../../account/builder-tree.ts";

export interface PageDocument {
  /** By content key; undefined if the service shows no value. The whole is undefined if the map was not read. */
  readonly fields: ReadonlyMap<string, Json | undefined> | undefined;
  readonly nodes: Nodes;
}

/** The draft of a page as far as it was read. A write makes a new one, of which nothing was read yet. */
export class Draft {
  readonly #run: RunContext;
  readonly #id: string;
  readonly fields: () => Promise<PageFields>;
  readonly nodes: () => Promise<Nodes>;

  constructor(run: RunContext, id: string, fields = () => run.account.documents.fields(id)) {
    this.#run = run;
    this.#id = id;
    this.fields = answeredOnce(fields);
    this.nodes = answeredOnce(() => readNodes(run, id));
  }

  /** Returns the draft after a write that may have moved it. */
  written(): Draft {
    return new Draft(this.#run, this.#id);
  }

  /** Returns the draft with texts that were read elsewhere. */
  showing(fields: PageFields): Draft {
    return new Draft(this.#run, this.#id, () => Promise.resolve(fields));
  }

  async tree(): Promise<PageDocument> {
    return { fields: undefined, nodes: await this.nodes() };
  }

  async whole(): Promise<PageDocument> {
    const [nodes, { fields }] = await Promise.all([this.nodes(), this.fields()]);
    return { nodes, fields: fields.all() };
  }
}

/** A failure is no answer: the next caller asks again. */
export function answeredOnce<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let answer: Promise<Answer> | undefined;
  return () =>
    (answer ??= ask().catch((error: unknown) => {
      answer = undefined;
      throw error;
    }));
}

async function readNodes(run: RunContext, id: string): Promise<Nodes> {
  try {
    const { builder } = await run.api.builder.read(id, { include_tree: true });
    return nodesIn(builder.tree);
  } catch (error) {
    if (!(error instanceof ForbiddenError)) throw error;
    const text =
      `publish: Landform can't ask if page ${id} holds edits of others outside its content fields, because the key ` +
      `may not read the builder (scope builder:read or pages:read). Such edits go live with the page.`;
    run.warnOnce({ code: "of-kind", kind: "page", id, topic: "builder-unread", text });
    return new Map();
  }
}

/** Returns the answer, or the other value if the service gives none: for a look that no work depends on. */
export async function orElse<Answer, Other>(answer: Promise<Answer>, other: Other): Promise<Answer | Other> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ApiError) return other;
    throw error;
  }
}

export type PageLife = z.output<ReturnType<typeof inputsOf>>;
export type NodeInput = NonNullable<PageLife["nodes"]>[string];
export type NodePatch = Exclude<NodeInput, { node: unknown }>;

/** A pass over a page: the object as it is known, and its draft, as the steps so far have left them. */
export type PagePass = Apply<PageLife, Draft>;
export type Over = Pick<PagePass, "run" | "id" | "object" | "document">;

export interface Reached extends PagePass {
  /** Content keys that were sent. */
  readonly sent: readonly string[];
}

/** Yields each point that it reaches, so that a failed pass is left there. */
export type Step<End = Reached> = AsyncGenerator<Reached, End, undefined>;

/** Returns the last point of a step whose points on the way nobody keeps. */
export async function endOf<End>(step: Step<End>): Promise<End> {
  for (;;) {
    const { done, value } = await step.next();
    if (done === true) return value;
  }
}

export function after<Pass extends PagePass>(pass: Pass, change: (object: ObjectState) => void): Pass {
  return { ...pass, object: pass.object.with(change) };
}

export function written<Pass extends PagePass>(pass: Pass, change?: (object: ObjectState) => void): Pass {
  return after({ ...pass, document: pass.document.written() }, (object) => {
    object.wrote = true;
    change?.(object);
  });
}
