/** Two pages that link to each other go public together. The funnel changes when both are public. */
import * as landform from "landform";

const project = new landform.Project("tea", {
  name: "Steep",
  description: "A tea shop with two hundred blends, and an offer that begins on one day for all.",
  context:
    "Steep sells loose tea in small tins. The spring offer is announced for one morning: the page of the offer and the one " +
    "that thanks must not be seen half old and half new. The tone is playful but short; no health claims, prices in euros.",
});

const site = new landform.Site("web", { name: "steep-spring.example", projectId: project.id });

const spring = new landform.Release("spring", {
  pages: () => {
    const thanks = new landform.Page("thanks", {
      name: "Thank you",
      projectId: project.id,
      templateId: "tpl-thankyou",
      variables: { brand: "Steep", support_email: "hello@steep.example" },
      publish: { siteId: site.id, slug: "thanks" },
    });
    const offer = new landform.Page("offer", {
      name: "Spring offer",
      projectId: project.id,
      templateId: "tpl-hero",
      variables: { brand: "Steep" },
      // A page is published before the pages that link to it.
      content: {
        "hero.title": "Three tins for the price of two",
        "hero.cta.url": thanks.url.apply((url) => url ?? ""),
      },
      publish: { siteId: site.id, slug: "offer" },
    });
    return { thanks, offer };
  },
  funnels: ({ thanks, offer }) => ({
    way: new landform.Funnel("spring", {
      name: "Spring offer",
      projectId: project.id,
      steps: [
        { pageId: offer.id, pageType: "sales" },
        { pageId: thanks.id, pageType: "thankyou" },
      ],
    }),
  }),
});

export const urls = spring.urls;
