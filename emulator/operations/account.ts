import type { Operations } from "./operation.ts";

export const account: Operations = {
  getAccount: ({ account: { id, email, name, plan } }) => ({ id, email, name, plan, workspace_id: id }),

  getAccountCounts: (service) => ({
    projects: service.projects.all().length,
    sites: service.sites.all().length,
    pages: service.pages.all().length,
    quizzes: service.quizzes.all().length,
    funnels: service.funnels.all().length,
    videos: service.videos.all().length,
    products: service.products.all().length,
    leads: service.leads.all().length,
  }),
};
