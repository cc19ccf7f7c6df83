/**
 * What pages hold: their texts and the nodes of their builder, after writes of this client. The specification does not show whether
 * they are of the draft or of what is live (2026-11-21): of a public page they say nothing of a write until it is published.
 */
import type { BuilderNode, BuilderSummary, LandformApi } from "../api/index.ts";
import { isMap, type Json, type JsonMap } from "../values/json.ts";
import { ContentFields } from "./content-map.ts";
import type { Settling } from "./account.ts";
import { isAsWritten } from "./spelling.ts";

export interface PageFields {
  readonly fields: ContentFields;
  /** Placeholders that have no value yet. */
  readonly variables: readonly string[];
}

/** By content key, or by the path of a leaf in a node (`misc/text`). */
interface Written {
  readonly was: Json;
  readonly sent: Json;
}

export interface Expectation {
  readonly call: string;
  /** The node that is written to; absent for texts. */
  readonly node?: string;
  /** As it was shown, or declared, before: what is not known here can't be told from what was sent. */
  readonly was: JsonMap;
  readonly sent: JsonMap;
  /** Visitors see the page: what it holds may be shown as it is live. */
  readonly isPublic: boolean;
}

interface Expected {
  readonly call: string;
  isDue: boolean;
  readonly leaves: ReadonlyMap<string, Written>;
}

const TEXTS = "";

type Settle = <Shown>(settling: Settling<Shown>) => Promise<Shown>;

export class Drafts {
  readonly #api: LandformApi;
  readonly #settle: Settle;
  /** By page and node. */
  readonly #expected = new Map<string, Map<string, Expected>>();

  /** `settle`: asks again until nothing is as it was. */
  constructor(api: LandformApi, settle: Settle) {
    this.#api = api;
    this.#settle = settle;
  }

  /** Before a write: what is read from then on has to show it. */
  expect(pageId: string, { call, node = TEXTS, was, sent, isPublic }: Expectation): void {
    const ofPage = this.#expected.get(pageId) ?? new Map<string, Expected>();
    this.#expected.set(pageId, ofPage);
    const before = leavesOf(was);
    const leaves = [...leavesOf(sent)].flatMap(([path, value]): [string, Written][] => {
      const former = before.get(path);
      return former === undefined ? [] : [[path, { was: former, sent: value }]];
    });
    ofPage.set(node, { call, isDue: !isPublic, leaves: new Map([...(ofPage.get(node)?.leaves ?? []), ...leaves]) });
  }

  published(pageId: string): void {
    for (const one of this.#expected.get(pageId)?.values() ?? []) one.isDue = true;
  }

  fields(pageId: string): Promise<PageFields> {
    const read = async (): Promise<PageFields> => {
      const map = await this.#api.builder.contentMap(pageId);
      return { fields: new ContentFields(map.fields), variables: map.variables };
    };
    return this.#shown(
      pageId,
      [TEXTS],
      read,
      (_, { fields }) =>
        (key) =>
          fields.value(key),
    );
  }

  node(pageId: string, nodeId: string): Promise<BuilderNode> {
    const read = () => this.#api.builder.readNode(pageId, nodeId);
    return this.#shown(pageId, [nodeId], read, (_, { node }) => {
      const leaves = leavesOf(node as JsonMap);
      return (path) => leaves.get(path);
    });
  }

  /** Where its parts are in a tree is not shown: a text that is nowhere in it, and its former one is, is behind. */
  tree(pageId: string): Promise<BuilderSummary> {
    const read = () => this.#api.builder.read(pageId, { include_tree: true });
    const parts = [...(this.#expected.get(pageId)?.keys() ?? [])];
    if (parts.length === 0) return read();
    return this.#shown(pageId, parts, read, ({ was, sent }, { builder }) => {
      const texts = new Set(leavesOf({ tree: builder.tree as Json }).values());
      return () => (texts.has(was) && !texts.has(sent) ? was : undefined);
    });
  }

  async #shown<Shown>(
    pageId: string,
    parts: readonly string[],
    read: () => Promise<Shown>,
    valueIn: (written: Written, shown: Shown) => (path: string) => Json | undefined,
  ): Promise<Shown> {
    const ofPage = this.#expected.get(pageId);
    const due = parts.flatMap((part) => {
      const expected = ofPage?.get(part);
      return expected?.isDue === true && expected.leaves.size > 0 ? [{ part, expected }] : [];
    });
    const [first] = due;
    if (first === undefined) return read();
    const unmoved = (shown: Shown): string[] =>
      due.flatMap(({ part, expected: { leaves } }) =>
        [...leaves].flatMap(([path, written]) =>
          isAsWritten(written.was, written.sent, valueIn(written, shown)(path)) ? [nameOf(part, path)] : [],
        ),
      );
    const answer = await read();
    // It shows all of it, or what it does not show counts as never sent.
    if (parts.length === 1) ofPage?.delete(first.part);
    if (unmoved(answer).length === 0) return answer;
    return this.#settle({ id: pageId, call: first.expected.call, again: read, unmoved });
  }
}

function nameOf(part: string, path: string): string {
  return part === TEXTS ? `content.${path}` : `nodes.${part}.${path.replaceAll("/", ".")}`;
}

/** Texts, numbers and switches, by their path. */
function leavesOf(value: Json | JsonMap, path = ""): Map<string, Json> {
  if (Array.isArray(value)) return new Map(value.flatMap((item, index) => [...leavesOf(item, below(path, index))]));
  if (isMap(value))
    return new Map(Object.entries(value).flatMap(([key, item]) => [...leavesOf(item, below(path, key))]));
  return new Map(value === null ? [] : [[path, value]]);
}

function below(path: string, step: string | number): string {
  return path === "" ? String(step) : `${path}/${step}`;
}
