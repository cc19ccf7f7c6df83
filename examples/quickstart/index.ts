/** A small funnel: an offer, a page that says thank you, and the way from one to the other. */
import * as landform from "landform";

const brand = "Example Mugs";

const project = new landform.Project("spring", {
  name: "Spring launch",
  description: "The spring launch of Example Mugs: one offer and a page that says thank you.",
  context:
    "Example Mugs sells handmade mugs to people who take their coffee seriously. The tone is warm and plain, without " +
    "exclamation marks. The offer is one mug at a fair price, with free shipping for two, and a guide to better coffee " +
    "for everyone who signs up.",
});

const site = new landform.Site("mugs", { name: "mugs.example", projectId: project.id });

const offer = new landform.Page("offer", {
  name: "Offer",
  projectId: project.id,
  templateId: "tpl-hero",
  variables: { brand },
  content: {
    "hero.title": "A mug worth getting up for",
    "hero.text": "Thrown by hand, glazed in four colours,\nand made to be used every morning.",
    "hero.cta.text": "Choose yours",
  },
  publish: { siteId: site.id, slug: "offer" },
});

const thanks = new landform.Page("thanks", {
  name: "Thank you",
  projectId: project.id,
  templateId: "tpl-thankyou",
  variables: { brand, support_email: "hello@mugs.example" },
  publish: { siteId: site.id, slug: "thanks" },
});

new landform.Funnel("spring", {
  name: "Spring",
  projectId: project.id,
  steps: [
    { pageId: offer.id, pageType: "presell" },
    { pageId: thanks.id, pageType: "thankyou" },
  ],
});

export const offerUrl = offer.url;
export const thanksUrl = thanks.url;
