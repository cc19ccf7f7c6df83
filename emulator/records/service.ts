import { randomBytes } from "node:crypto";
import { Keys } from "../http/auth.ts";
import type { Deliverer } from "../visitors/deliver.ts";
import { invalid } from "../http/errors.ts";
import { Clock, newId } from "./ids.ts";
import type { NotShown } from "../not-shown.ts";
import { ordered } from "../http/paging.ts";
import type * as records from "./records.ts";
import type { Collection, Entity, Store } from "./store.ts";

/** Collections with names that differ from their kind, by kind. */
const COLLECTIONS: Readonly<Record<string, string>> = { quiz: "quizzes", proj: "projects", prod: "products" };

/** The account behind the API: its records, and the effects of their changes. */
export class Service {
  readonly notShown: NotShown;
  readonly projects: Collection<records.ProjectRecord>;
  readonly sites: Collection<records.SiteRecord>;
  readonly pages: Collection<records.PageRecord>;
  readonly documents: Collection<records.DocumentRecord>;
  readonly quizzes: Collection<records.QuizRecord>;
  readonly funnels: Collection<records.FunnelRecord>;
  readonly videos: Collection<records.VideoRecord>;
  readonly products: Collection<records.ProductRecord>;
  readonly leads: Collection<records.LeadRecord>;
  readonly hooks: Collection<records.HookRecord>;
  readonly keys: Keys;
  readonly account: records.AccountRecord;
  /** True if the store was empty. */
  readonly isNew: boolean;
  readonly deliverer: Deliverer;
  /** The earlier versions of a page's content that readers still get, the older ones first. */
  readonly lagging = new Map<string, { document: records.DocumentRecord; until: number }[]>();
  /** The revision of a page that visitors got before its last publication. */
  readonly formerly = new Map<string, { live: records.DocumentRecord["live"]; at: number }>();
  /** The address of the server, known once it listens. */
  origin = new URL("http://127.0.0.1");
  readonly #store: Store;
  readonly #clock = new Clock();
  /** The last number of each kind. */
  readonly #counts = new Map<string, number>();

  constructor(store: Store, notShown: NotShown, deliverer: Deliverer, plan?: string | null) {
    this.#store = store;
    this.notShown = notShown;
    this.deliverer = deliverer;
    const lag = (): number => notShown.listLagMs;
    this.projects = store.collection("projects", lag);
    this.sites = store.collection("sites", lag);
    this.pages = store.collection("pages", lag);
    this.documents = store.collection("documents");
    this.quizzes = store.collection("quizzes", lag);
    this.funnels = store.collection("funnels", lag);
    this.videos = store.collection("videos", lag);
    this.products = store.collection("products", lag);
    this.leads = store.collection("leads", lag);
    this.hooks = store.collection("hooks");
    this.keys = new Keys(store.collection("keys"));
    const accounts = store.collection<records.AccountRecord>("accounts");
    this.isNew = accounts.all().length === 0;
    this.account = this.#openAccount(accounts, plan);
  }

  now(): string {
    return this.#clock.now();
  }

  /** Returns the id and the dates of a new record. */
  born(kind: string): { id: string; createdAt: string; updatedAt: string } {
    const now = this.now();
    return { id: this.newId(kind), createdAt: now, updatedAt: now };
  }

  newId(kind: string): string {
    if (this.notShown.ids === "opaque") return newId(kind);
    const records = this.#store.dump()[COLLECTIONS[kind] ?? `${kind}s`] ?? [];
    const last = Math.max(this.#counts.get(kind) ?? 0, ...records.map(({ id }) => Number(id) || 0));
    this.#counts.set(kind, last + 1);
    return String(last + 1);
  }

  /** Returns a name as the service stores it. */
  nameOf(name: string, field = "name"): string {
    const stored = this.notShown.normaliseNames ? name.trim() : name;
    if (stored === "") throw invalid(`The body is wrong: ${field} must not be empty.`);
    return stored;
  }

  /** Returns the records of a kind, in the order of lists. */
  list<T extends Entity>(collection: Collection<T>): T[] {
    return ordered(collection.listed(), this.notShown.listOrder);
  }

  /** Sends an event to the receivers of active subscriptions. `about` is the record on the wire, and `kind` names its id. */
  emit(eventType: string, kind: string, about: { id: string } & Record<string, unknown>): void {
    const hooks = this.hooks.all().filter((hook) => hook.active && hook.eventType === eventType);
    if (hooks.length === 0) return;
    const { id, created_at, ...fields } = about;
    const event = { id: newId("evt"), event_type: eventType, created_at, [`${kind}_id`]: id, ...fields };
    this.deliverer.send(event, hooks, (hook) => this.hooks.get(hook.id)?.active === true);
  }

  /** Replaces a page's draft and live version. Readers may see the change later. */
  keepDocument(document: records.DocumentRecord): void {
    const before = this.documents.get(document.id);
    const now = Date.now();
    const lagging = (this.lagging.get(document.id) ?? []).filter(({ until }) => until > now);
    if (before !== undefined && this.notShown.contentLagMs > 0)
      lagging.push({ document: before, until: now + this.notShown.contentLagMs });
    if (lagging.length > 0) this.lagging.set(document.id, lagging);
    else this.lagging.delete(document.id);
    this.documents.put(document);
  }

  /** Returns the version that readers get. */
  shownDocument(id: string): records.DocumentRecord | undefined {
    const former = this.lagging.get(id)?.find(({ until }) => until > Date.now());
    return former?.document ?? this.documents.get(id);
  }

  /** Returns everything in the account, in its stored form. */
  records(): Record<string, Entity[]> {
    return this.#store.dump();
  }

  restore(records: Record<string, Entity[]>): void {
    this.#store.restore(records);
    this.formerly.clear();
  }

  /** Makes everything written so far durable. */
  commit(): void {
    this.#store.flush();
  }

  async close(): Promise<void> {
    await this.deliverer.close();
    this.#store.close();
  }

  #openAccount(accounts: Collection<records.AccountRecord>, plan: string | null | undefined): records.AccountRecord {
    const existing = accounts.all()[0];
    if (existing !== undefined) return plan === undefined ? existing : accounts.put({ ...existing, plan });
    return accounts.put({
      id: `acct_${randomBytes(8).toString("hex")}`,
      email: "owner@example.com",
      name: "Example account",
      plan: plan === undefined ? "pro" : plan,
      apiKey: this.keys.create(),
    });
  }
}
