/** A kind of its own in an account of its own, all in memory, so that a test can follow a creation step by step. */
import { vi } from "vitest";
import { z } from "zod";
import type { Found } from "../../provider/definition/collection.ts";
import { type AnyDefinition, type Created, defineResource } from "../../provider/definition/define.ts";
import { ApiError } from "../../provider/api/index.ts";
import type { JsonMap } from "../../provider/values/json.ts";
import { create } from "../../provider/reconcile/create.ts";
import { type Change, changed, type Entry, Ledger } from "../../provider/ledger/ledger.ts";
import { identityFor, markerOf, nameDigest, resourceKeyIn } from "../../provider/ledger/identity.ts";
import { RunContext, SeenStates, type Settings } from "../../provider/reconcile/run-context.ts";
import type { Notice } from "../../provider/messages/notices.ts";
import { MADE } from "../../provider/definition/in-preview.ts";
import { idOf } from "../../provider/definition/schema-walk.ts";

export const IDENTITY = identityFor("urn:pulumi:dev::shop::landform:Thing::mug");
export const OWN = resourceKeyIn(IDENTITY);
export const RED = markerOf(IDENTITY, [["color", "red"]]);
const SPEC = RED.full.slice(OWN.length + 1);
export const BLUE = markerOf(IDENTITY, [["color", "blue"]]);
/** The marker of another resource. */
export const OTHER = markerOf(identityFor("urn:pulumi:dev::shop::landform:Thing::cup"), [["color", "red"]]);
/** The marker of another stack. */
export const STRANGER = markerOf(identityFor("urn:pulumi:prod::shop::landform:Thing::mug"), [["color", "red"]]);

export const lost = new ApiError({ what: "the connection broke", remedy: "Wait.", outcome: "unknown" });
export const refused = new ApiError({ what: "it is not allowed", remedy: "Ask.", outcome: "refused" });

export class Desk {
  readonly account = new Map<string, JsonMap>();
  readonly steps: string[] = [];
  readonly told: Notice[] = [];
  readonly foreign = new Set<string>();
  /** The ledger of earlier runs. */
  kept: readonly Entry[] = [];
  /** True if earlier runs have kept the ledger: then a marker without an entry is somebody's. */
  isThere = false;
  more: Partial<AnyDefinition> = {};
  /** The settings of the run. A test changes them before the run does anything. */
  readonly settings: { -readonly [Name in keyof Settings]: Settings[Name] };
  readonly run: RunContext;
  readonly seen: SeenStates;
  readonly ledger = new Ledger(() => ({
    read: () => ({ entries: this.kept, isThere: this.isThere, isWhole: this.isThere }),
    write: (changes) => {
      this.#wrote(changes);
      return Promise.all(changes.map((one) => this.#step(this.#said(one)))).then(() => undefined);
    },
    note: (changes) => this.#wrote(changes),
    mark: () => Promise.resolve(),
  }));
  #made = 0;

  constructor() {
    const warn = (notice: Notice): void => void this.told.push(notice);
    const { foreign, ledger } = this;
    this.settings = { full: false, patienceMs: 1_000, foreign, ledger, knowsStack: true, warn };
    this.run = new RunContext({ baseUrl: "http://127.0.0.1:1/v1", apiKey: "lfk_none" }, this.settings);
    vi.spyOn(this.run, "accountId").mockResolvedValue("acc_1");
    this.seen = new SeenStates(ledger);
  }

  nameOf(id: string): string {
    return nameIn(this.account.get(id));
  }

  /** Puts an object into the account, by its name. */
  put(id: string, name: string, more: JsonMap = {}): this {
    this.account.set(id, { id, name, ...more });
    return this;
  }

  /** Plays a killed run that was creating it. */
  interrupt(more: Partial<Entry> = {}): this {
    return this.#earlier({ state: "intended", creationDigest: SPEC, ...more });
  }

  /** The state reports the creation, and nobody wrote it down. */
  untold(others: readonly string[] = []): this {
    return this.#earlier({ state: "unknown", ...(others.length > 0 && { others }) });
  }

  /** Plays a killed run that had made it, without a state. */
  record(id: string, more: Partial<Entry> = {}): this {
    return this.#earlier({ state: "made", creationDigest: SPEC, id, ...more });
  }

  #earlier(more: Partial<Entry> & Pick<Entry, "state">): this {
    const at = new Date(Date.now() - 1_000 + this.kept.length).toISOString();
    this.kept = [...this.kept, { key: OWN, at, kind: "thing", name: "mug", called: nameDigest("Mug"), ...more }];
    return this;
  }

  /** The entries of this resource for the next run: the created object, in its last record. */
  get entries(): Omit<Entry, "at" | "key" | "called">[] {
    return this.ledger.of(OWN).map(({ at: _, key: __, called: ___, ...entry }) => entry);
  }

  /** Returns the ids in the ledger. */
  get recorded(): string[] {
    return this.ledger.of(OWN).flatMap(({ id }) => id ?? []);
  }

  #wrote(changes: readonly Change[]): void {
    this.kept = changed(this.kept, changes);
  }

  #said(one: Change): string {
    if ("settled" in one) return "settled";
    return one.id === undefined ? one.state : `${one.state} ${one.id} as ${this.nameOf(one.id)}`;
  }

  get names(): string[] {
    return [...this.account.values()].map(nameIn);
  }

  get codes(): string[] {
    return this.told.map(({ code, id }) => `${code} ${id}`.trim());
  }

  get definition(): AnyDefinition {
    return { ...this.#thing, ...this.more };
  }

  create(inputs: JsonMap = { name: "Mug", color: "red" }, identity: string | undefined = IDENTITY) {
    const props = { ...inputs, ...(identity !== "" && { __identity: identity }), __provider: "code" };
    return create(this.definition, this.run, props, this.seen);
  }

  readonly #thing: AnyDefinition = {
    ...defineResource({
      kind: "thing",
      section: "things",
      doc: "",
      named: true,
      inputs: z.object({
        name: z.string().optional(),
        color: z.string().optional(),
        projectId: idOf("project").optional(),
        siteId: idOf("site").optional(),
        price: z.number().optional(),
        texts: z.record(z.string(), z.string()).optional(),
      }),
      outputs: z.object({
        name: z.string(),
        color: z.string(),
        projectId: z.string(),
        price: z.number(),
        texts: z.record(z.string(), z.string()),
      }),
      rules: {
        name: { stays: true },
        color: { onChange: "replace" },
        projectId: { stays: true },
        siteId: { stays: true },
        price: { stays: true },
        texts: { perKey: true, stays: true, shownValue: (answer) => answer["texts"] },
      },
      calls: { create: [], adopt: [], update: ["updateProduct"], delete: [] },
      inPreview: MADE,
      limits: [],
      create: (_, { color }, name) => this.post(name, typeof color === "string" ? { color } : {}),
      read: (_, id) => Promise.resolve(this.account.get(id)),
      apply: async ({ id, now, changed, object }) => {
        await this.#step(`applied ${[...changed].join(" ")}`);
        const then = { ...this.account.get(id), ...(JSON.parse(JSON.stringify(now)) as JsonMap) };
        this.account.set(id, then);
        object.learn(then);
      },
      delete: async (_, id) => {
        await this.#step(`deleted ${id}`);
        this.account.delete(id);
      },
    }),
    search: (_, text) => this.search(text),
  };

  async post(name: string, more: JsonMap = {}): Promise<Created> {
    const id = `new_${++this.#made}`;
    await this.#step(`posted ${id}`);
    this.put(id, name, more);
    return { id, answer: { id, name, ...more }, sent: ["name", "color"] };
  }

  /** Searches like a service: by a part of the name. */
  async search(text: string): Promise<Found[]> {
    await this.#step(`searched ${text.replaceAll(/[0-9a-f]{4,}/g, "#")}`);
    const rows = [...this.account].map(([id, answer]) => ({ id, name: nameIn(answer), answer }));
    return rows.filter(({ name }) => name.includes(text));
  }

  #step(what: string): Promise<void> {
    this.steps.push(what);
    return Promise.resolve();
  }
}

function nameIn(answer: JsonMap | undefined): string {
  const name = answer?.["name"];
  return typeof name === "string" ? name : "";
}
