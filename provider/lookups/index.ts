/** Lookups: what an account holds, read only. Each takes the client first; programs use the forms in pulumi/lookups.ts. */
import type { LandformApi } from "../api/index.ts";
import type { One } from "./find.ts";
import { getFunnel } from "./funnels.ts";
import { getPage } from "./pages.ts";
import { getProduct } from "./products.ts";
import { getProject } from "./projects.ts";
import { getQuiz } from "./quizzes.ts";
import { getSite } from "./sites.ts";
import { getTemplate } from "./templates.ts";
import { getVideo } from "./videos.ts";

export * from "./account.ts";
export * from "./builder.ts";
export { LookupError, type Limit, type One, type Shown } from "./find.ts";
export * from "./funnels.ts";
export * from "./hooks.ts";
export * from "./leads.ts";
export * from "./pages.ts";
export * from "./products.ts";
export * from "./projects.ts";
export * from "./quizzes.ts";
export * from "./sites.ts";
export * from "./templates.ts";
export * from "./videos.ts";

type IdOf = (api: LandformApi, wanted: One) => Promise<string>;

/** The id of a thing as other resources refer to it: a quiz is referred to by its page. */
export const lookupId = {
  project: async (api, wanted) => (await getProject(api, wanted)).id,
  site: async (api, wanted) => (await getSite(api, wanted)).id,
  page: async (api, wanted) => (await getPage(api, wanted)).id,
  quiz: async (api, wanted) => {
    const quiz = await getQuiz(api, wanted);
    return quiz.pageId ?? quiz.id;
  },
  funnel: async (api, wanted) => (await getFunnel(api, wanted)).id,
  product: async (api, wanted) => (await getProduct(api, wanted)).id,
  template: async (api, wanted) => (await getTemplate(api, wanted)).id,
  video: async (api, wanted) => (await getVideo(api, wanted)).id,
} as const satisfies Record<string, IdOf>;
export type LookupKind = keyof typeof lookupId;
