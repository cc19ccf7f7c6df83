/** Generated from provider/kinds/registry.ts by "npm run generate"; a change belongs into the collection of the kind. */
import { registry } from "../kinds/registry.ts";
import { listOf, oneOf } from "./find.ts";

/** One project, by its id or its name. */
export const getProject = oneOf(registry.project);
/** All projects, or the first `limit`. */
export const listProjects = listOf<object, typeof registry.project.lookup>(registry.project);

export interface SiteQuery {
  readonly projectId?: string;
  /** Text in the name and related fields. */
  readonly query?: string;
}

/** One site, by its id or its name. */
export const getSite = oneOf(registry.site);
/** All sites, or those that the filter lets through. */
export const listSites = listOf<SiteQuery, typeof registry.site.lookup>(registry.site);

export interface PageQuery {
  readonly projectId?: string;
  /** Pages on this site. */
  readonly siteId?: string;
  /** True: published ones; false: drafts. */
  readonly published?: boolean;
  /** True: quizzes only. */
  readonly isQuiz?: boolean;
  /** Pages whose builder contains this type of element. */
  readonly hasElement?: string;
  /** True: without pages that a funnel uses already. */
  readonly availableForFunnel?: boolean;
}

/** One page, by its id or its name (without the site that the service appends). */
export const getPage = oneOf(registry.page);
/** All pages, or those that the filter lets through. */
export const listPages = listOf<PageQuery, typeof registry.page.lookup>(registry.page);

export interface QuizQuery {
  /** Quizzes on this page. */
  readonly pageId?: string;
  /** Text in the name and related fields. */
  readonly query?: string;
}

/** One quiz, by its id (or that of its page) or its name. `pageId` of the result is the page that hosts it. */
export const getQuiz = oneOf(registry.quiz);
/** All quizzes, or those that the filter lets through. */
export const listQuizzes = listOf<QuizQuery, typeof registry.quiz.lookup>(registry.quiz);

export interface FunnelQuery {
  readonly projectId?: string;
}

/** One funnel, by its id or its name. */
export const getFunnel = oneOf(registry.funnel);
/** All funnels, or those that the filter lets through. The API lists at most 100 funnels at a time and has no pagination for them. So funnels without a project may be missing, and funnels of a project that has more than 100. */
export const listFunnels = listOf<FunnelQuery, typeof registry.funnel.lookup>(registry.funnel);

export interface ProductQuery {
  readonly projectId?: string;
  readonly type?: "simple" | "bundle";
}

/** One product, by its id or its name. */
export const getProduct = oneOf(registry.product);
/** All products, or those that the filter lets through. */
export const listProducts = listOf<ProductQuery, typeof registry.product.lookup>(registry.product);

/** One video, by its id or its name. */
export const getVideo = oneOf(registry.videoPlayer);
/** All videos, or the first `limit`. */
export const listVideos = listOf<object, typeof registry.videoPlayer.lookup>(registry.videoPlayer);
