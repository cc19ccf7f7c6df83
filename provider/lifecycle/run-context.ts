/** What all resources of one run share: the client, bulk reads, the account behind the key, and what the run knows. */
import { ForbiddenError, LandformApi, NotFoundError, type ApiConfig } from "../api/index.ts";
import { Snapshot, LIST_SIZE } from "../api/snapshot.ts";
import type { Page, Product, Project, Site } from "../api/records.ts";
import type { Found } from "../define.ts";
import { WrongAccountError } from "./errors.ts";

export interface Settings {
  /** Read everything on refresh, even where updated_at did not move. */
  readonly full: boolean;
  /** How long a lost answer is looked for before the run gives up. */
  readonly patienceMs: number;
  /** Creations that a killed run left unfinished, by identity, as far as the command line knows. */
  readonly unfinished: ReadonlyMap<string, Interrupted>;
  readonly warn: (message: string) => void;
}

/** A creation whose end no state has recorded. */
export interface Interrupted {
  /** About when it was begun. */
  readonly at: Date;
  /** Ids of the stack's other objects of that kind and name. */
  readonly others: readonly string[];
}

export class RunContext {
  readonly api: LandformApi;
  readonly settings: Settings;
  readonly projects: Snapshot<Project>;
  readonly sites: Snapshot<Site>;
  readonly pages: Snapshot<Page>;
  readonly products: Snapshot<Product>;
  /** Bulk looks for unfinished objects, one a kind and process. */
  readonly looks = new Map<string, Promise<Found[]>>();
  /** What this run took over: a list may show it as free for a while. */
  readonly taken = new Set<string>();
  /** What this run deleted or retired: a list may show it for a while, and the service may count it as in use. */
  readonly deleted = new Set<string>();
  readonly #warned = new Set<string>();
  #account: Promise<string | undefined> | undefined;
  #seenAccount: string | undefined;

  constructor(config: ApiConfig, settings: Settings) {
    const api = new LandformApi(config);
    this.api = api;
    this.settings = settings;
    const limit = LIST_SIZE;
    this.projects = new Snapshot({
      list: (page) => api.projects.list({ limit, page }),
      one: (id) => orGone(api.projects.read(id)),
    });
    this.sites = new Snapshot({
      list: (page) => api.sites.list({ limit, page }),
      one: (id) => orGone(api.sites.read(id)),
    });
    this.pages = new Snapshot({
      list: (page) => api.pages.list({ limit, page }),
      one: (id) => orGone(api.pages.read(id)),
    });
    this.products = new Snapshot({
      list: (page) => api.products.list({ limit, page }),
      one: (id) => orGone(api.products.read(id)),
    });
  }

  /** What bulk reads know of an object is out of date. */
  forget(id: string): void {
    for (const snapshot of [this.projects, this.sites, this.pages, this.products]) snapshot.forget(id);
  }

  warn(message: string): void {
    this.settings.warn(message);
  }

  warnOnce(subject: string, message: string): void {
    if (this.#warned.has(subject)) return;
    this.#warned.add(subject);
    this.warn(message);
  }

  /** Notes which account the state belongs to, so that a creation in the same run can be held against it. */
  expectAccount(account: string | undefined): void {
    this.#seenAccount ??= account;
  }

  /**
   * The account of the key; a key of another account than the state's is refused. Undefined where the key may not ask
   * (scope account:read): then nothing can be compared.
   */
  async account(expected?: string): Promise<string | undefined> {
    this.#account ??= this.#ask();
    const actual = await this.#account;
    const wanted = expected ?? this.#seenAccount;
    if (actual !== undefined && wanted !== undefined && actual !== wanted) throw new WrongAccountError(wanted, actual);
    return actual;
  }

  async #ask(): Promise<string | undefined> {
    try {
      return (await this.api.account.me()).id;
    } catch (error) {
      if (error instanceof ForbiddenError) return undefined;
      this.#account = undefined;
      throw error;
    }
  }
}

export async function orGone<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}
