/** The client: one typed method an operation, grouped by resource. */
import { z } from "zod";
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
import { videosGroup } from "./groups/videos.ts";
import { createSender } from "./sender.ts";

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
  /** Waits for the calls under way and closes the connections. */
  readonly close: () => Promise<void>;

  constructor(config: ApiConfig) {
    const checked = checkConfig(config);
    const sender = createSender(checked);
    const call = createCall(checked, sender);
    this.account = accountGroup(call);
    this.analytics = analyticsGroup(call);
    this.builder = builderGroup(call);
    this.hooks = hooksGroup(call);
    this.leads = leadsGroup(call);
    this.pages = pagesGroup(call);
    this.products = productsGroup(call);
    this.projects = projectsGroup(call);
    this.quizzes = quizzesGroup(call);
    this.sites = sitesGroup(call);
    this.templates = templatesGroup(call);
    this.videos = videosGroup(call);
    this.funnels = funnelsGroup(call, this.projects.iterate);
    this.openapi = () => call("getOpenapi", z.record(z.string(), z.unknown()));
    this.close = sender.close;
  }
}
