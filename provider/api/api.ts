/** The client: one typed method an operation, grouped by resource. */
import { z } from "zod";
import type { Call } from "./caller.ts";
import { createCall } from "./calls.ts";
import { type ApiConfig, checkConfig } from "./config.ts";
import { accountGroup, analyticsGroup } from "./groups/account.ts";
import { builderGroup } from "./groups/builder.ts";
import { funnelsGroup } from "./groups/funnels.ts";
import { hooksGroup } from "./groups/hooks.ts";
import { leadsGroup } from "./groups/leads.ts";
import { pagesGroup } from "./groups/pages.ts";
import { productsGroup } from "./groups/products.ts";
import { projectsGroup } from "./groups/projects.ts";
import { quizzesGroup } from "./groups/quizzes.ts";
import { sitesGroup } from "./groups/sites.ts";
import { templatesGroup } from "./groups/templates.ts";
import { permission, type Permission } from "./permission.ts";
import { videosGroup } from "./groups/videos.ts";
import { createPager } from "./paging.ts";
import { createSender } from "./sender.ts";

/** All calls of a list may take as long as so many of the slowest. */
export const callsInAList = 10;

export class LandformApi {
  readonly account: ReturnType<typeof accountGroup>;
  readonly analytics: ReturnType<typeof analyticsGroup>;
  readonly builder: ReturnType<typeof builderGroup>;
  readonly funnels: ReturnType<typeof funnelsGroup>;
  readonly hooks: ReturnType<typeof hooksGroup>;
  readonly leads: ReturnType<typeof leadsGroup>;
  readonly pages: ReturnType<typeof pagesGroup>;
  readonly products: ReturnType<typeof productsGroup>;
  readonly projects: ReturnType<typeof projectsGroup>;
  readonly quizzes: ReturnType<typeof quizzesGroup>;
  readonly sites: ReturnType<typeof sitesGroup>;
  readonly templates: ReturnType<typeof templatesGroup>;
  readonly videos: ReturnType<typeof videosGroup>;
  /** The service's own description of itself; sent without the key. */
  readonly openapi: () => Promise<Record<string, unknown>>;
  /** Whether the key has one of these scopes, asked so that nothing can come of it. */
  readonly permission: (scopes: readonly string[]) => Promise<Permission>;
  /** The variable to set where another key is needed. */
  readonly keyVariable: string;
  /** Waits for the calls under way and closes the connections. */
  readonly close: () => Promise<void>;

  readonly #asked = new Map<string, Promise<unknown>>();

  /** `layer`: what every call goes through on its way. */
  constructor(config: ApiConfig, layer: (call: Call) => Call = (call) => call) {
    const checked = checkConfig(config);
    const sender = createSender(checked);
    const call = layer(createCall(checked, sender));
    this.account = accountGroup(call);
    this.analytics = analyticsGroup(call);
    let counts: ReturnType<typeof this.analytics.counts> | undefined;
    const pager = createPager({
      deadlineMs: callsInAList * checked.timeoutMs,
      counts: () => (counts ??= this.analytics.counts()),
    });
    this.builder = builderGroup(call);
    this.hooks = hooksGroup(call);
    this.leads = leadsGroup(call);
    this.pages = pagesGroup(call, pager);
    this.products = productsGroup(call, pager);
    this.projects = projectsGroup(call, pager);
    this.quizzes = quizzesGroup(call, pager);
    this.sites = sitesGroup(call, pager);
    this.templates = templatesGroup(call);
    this.videos = videosGroup(call, pager);
    this.funnels = funnelsGroup(call, this.projects.iterate);
    this.openapi = () => call("getOpenapi", z.record(z.string(), z.unknown()));
    this.permission = (scopes) => permission(call, scopes);
    this.keyVariable = checked.apiKey.variable;
    this.close = sender.close;
  }

  /** For a client that lives no longer than its questions, as that of a plan does: each is asked once. */
  once<Answer>(question: string, ask: () => Promise<Answer>): Promise<Answer> {
    const answer = (this.#asked.get(question) as Promise<Answer> | undefined) ?? ask();
    this.#asked.set(question, answer);
    return answer;
  }
}
