/** A kind of its own in an account of its own, all in memory, so that a creation can be followed step by step. */
import { vi } from "vitest";
import { z } from "zod";
import type { Found } from "../../provider/definition/collection.ts";
import { defineResource, type AnyDefinition, type Created } from "../../provider/definition/define.ts";
import { ApiError } from "../../provider/api/index.ts";
import type { JsonMap } from "../../provider/values/json.ts";
import { create } from "../../provider/reconcile/create.ts";
import type {
  CreationRecord,
  LostCreation,
  OpenQuestion,
  RecordedCreation,
  SoughtCreation,
} from "../../provider/reconcile/creation-record.ts";
import { identityFor, markerOf, ownIn } from "../../provider/reconcile/identity.ts";
import { RunContext, type Interrupted, type Settings } from "../../provider/reconcile/run-context.ts";
import { SeenStates } from "../../provider/reconcile/seen-states.ts";
import type { Notice } from "../../provider/messages/notices.ts";
import { MADE } from "../../provider/preview/rules.ts";
import { idOf } from "../../provider/definition/references.ts";

export const IDENTITY = identityFor("urn:pulumi:dev::shop::landform:Thing::mug");
export const OWN = ownIn(IDENTITY);
export const RED = markerOf(IDENTITY, [["color", "red"]]);
export const BLUE = markerOf(IDENTITY, [["color", "blue"]]);
/** Of another resource. */
export const OTHER = markerOf(identityFor("urn:pulumi:dev::shop::landform:Thing::cup"), [["color", "red"]]);
/** Of another stack. */
export const STRANGER = markerOf(identityFor("urn:pulumi:prod::shop::landform:Thing::mug"), [["color", "red"]]);

export const lost = new ApiError({ what: "the connection broke", remedy: "Wait.", outcome: "unknown" });
export const refused = new ApiError({ what: "it is not allowed", remedy: "Ask.", outcome: "refused" });

export class Desk {
  readonly account = new Map<string, JsonMap>();
  /** What was done, in order. */
  readonly steps: string[] = [];
  readonly told: Notice[] = [];
  readonly recorded = new Map<string, RecordedCreation>();
  /** Ids that our record was told to cross out. */
  readonly settled: string[] = [];
  readonly unanswered = new Set<string>();
  /** What our record was told of calls, in order. */
  readonly questions: (OpenQuestion | undefined)[] = [];
  /** What was asked for by name alone. */
  readonly named = new Map<string, string>();
  readonly lost: LostCreation[] = [];
  readonly sought: SoughtCreation[] = [];
  /** Of earlier runs. */
  openQuestions: readonly OpenQuestion[] = [];
  readonly unfinished = new Map<string, Interrupted>();
  readonly foreign = new Set<string>();
  /** Our own record was kept when the creation was begun. */
  covers = true;
  more: Partial<AnyDefinition> = {};
  /** What the kind is without. */
  readonly lacks = new Set<string>();
  /** Of the run, and to be changed before it does anything. */
  readonly settings: { -readonly [Name in keyof Settings]: Settings[Name] };
  readonly run: RunContext;
  readonly seen: SeenStates;
  readonly #notes = new Map<string, string>();
  #made = 0;

  constructor() {
    const record: CreationRecord = {
      begin: () => this.#step("record begins"),
      made: (creation) => {
        this.recorded.set(creation.own, creation);
        this.unanswered.delete(creation.own);
        return this.#step(`recorded ${creation.id} as ${this.nameOf(creation.id)}`);
      },
      noted: (own, id, note) => {
        this.#notes.set(`${own} ${id}`, note);
        return this.#step(`noted ${id}`);
      },
      note: (own, id) => this.#notes.get(`${own} ${id}`),
      asked: (own, question) => {
        this.unanswered.add(own);
        this.questions.push(question);
        return this.#step("asked");
      },
      named: (own, spec) => {
        this.unanswered.add(own);
        this.named.set(own, spec);
        return this.#step("named");
      },
      lost: (creation) => {
        this.unanswered.add(creation.own);
        this.lost.push(creation);
        return this.#step("lost");
      },
      sought: (creation) => {
        this.sought.push(creation);
        return this.#step("sought");
      },
      failed: (own) => void this.unanswered.delete(own),
      isUnanswered: (own) => this.unanswered.has(own),
      openQuestions: () => this.openQuestions,
      find: (own) => this.recorded.get(own),
      settled: (own, id) => {
        this.settled.push(id);
        if (this.recorded.get(own)?.id === id) this.recorded.delete(own);
      },
      held: (own, spec) => {
        if (this.named.get(own) === spec) this.unanswered.delete(own);
      },
      covers: () => this.covers,
    };
    const { unfinished, foreign } = this;
    const warn = (notice: Notice): void => void this.told.push(notice);
    this.settings = { full: false, patienceMs: 1_000, unfinished, foreign, record, warn };
    this.run = new RunContext({ baseUrl: "http://127.0.0.1:1/v1", apiKey: "lfk_none" }, this.settings);
    vi.spyOn(this.run, "accountId").mockResolvedValue("acc_1");
    this.seen = new SeenStates(record);
  }

  nameOf(id: string): string {
    return nameIn(this.account.get(id));
  }

  /** An object of the account, by its name. */
  put(id: string, name: string, more: JsonMap = {}): void {
    this.account.set(id, { id, name, ...more });
  }

  /** The state tells that a killed run began it. */
  interrupt(others: readonly string[] = []): void {
    this.unfinished.set(OWN, { others });
  }

  /** What our record tells of an earlier run. */
  record(id: string, more: object = {}): void {
    this.recorded.set(OWN, { own: OWN, spec: RED.full.slice(OWN.length + 1), kind: "thing", id, ...more });
  }

  get names(): string[] {
    return [...this.account.values()].map(nameIn);
  }

  get codes(): string[] {
    return this.told.map(({ code, id }) => `${code} ${id}`.trim());
  }

  get definition(): AnyDefinition {
    const all = Object.entries({ ...this.#thing, ...this.more });
    return Object.fromEntries(all.filter(([part]) => !this.lacks.has(part))) as unknown as AnyDefinition;
  }

  create(inputs: JsonMap = { name: "Mug", color: "red" }, identity: string | undefined = IDENTITY) {
    const props = { ...inputs, ...(identity !== "" && { __identity: identity }), __provider: "code" };
    return create(this.definition, this.run, props, this.seen);
  }

  readonly #thing: AnyDefinition = defineResource({
    kind: "thing",
    type: "Thing",
    section: "things",
    doc: "",
    named: true,
    marked: true,
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
      texts: { perKey: true, stays: true, live: (answer) => answer["texts"] },
    },
    calls: { create: [], adopt: [], update: [], delete: [] },
    inPreview: MADE,
    limits: [],
    create: (_, { color }, name) => this.post(name, typeof color === "string" ? { color } : {}),
    search: (_, text) => this.search(text),
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
  });

  async post(name: string, more: JsonMap = {}): Promise<Created> {
    const id = `new_${++this.#made}`;
    await this.#step(`posted ${id}`);
    this.put(id, name, more);
    return { id, answer: { id, name, ...more }, sent: ["name", "color"] };
  }

  /** As a service's search: by a part of the name. */
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
