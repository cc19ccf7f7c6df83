/** The same resources as a manifest and as a program, with most of the features of both. */

const DESCRIPTION = "A project for the spring launch, with pages, a quiz and a funnel.";
export const CONTEXT =
  "Example Mugs sells handmade mugs to people who take their coffee seriously. The tone is warm and plain. The offer " +
  "is one mug at a fair price, with free shipping for two, and a guide to better coffee for everyone who signs up.";

export const MANIFEST = `landform: 1
name: same
projects:
  spring: { name: Spring, description: ${JSON.stringify(DESCRIPTION)}, context: { file: brand.md } }
funnels:
  spring:
    project: spring
    steps:
      - { page: offer, pageType: presell }
      - { quiz: fit, pageType: quiz }
      - { url: "https://pay.example", pageType: sales }
      - { page: copy, pageType: thankyou }
sites:
  main: { name: spring.example, project: spring }
pages:
  copy: { duplicateOf: offer, content: { hero.title: Copy, hero.text: { ref: pages.offer.url } } }
  offer:
    name: Offer
    project: spring
    template: { lookup: { name: { config: template } } }
    content: { hero.title: Hello }
    variables: { brand: { env: BRAND, default: Acme } }
    tags: [spring]
    publish: { site: main, slug: offer }
    options: { ignoreChanges: [tags], aliases: [old-offer] }
quizzes:
  fit: { project: spring, options: { protect: false, dependsOn: [products.mug] } }
products:
  mug: { price: 12.5, project: spring, ctaUrl: { ref: pages.offer.url }, sku: { config: sku } }
videoPlayers:
  tour: { video: { lookup: { name: Mug tour } }, loop: { config: loop } }
outputs:
  offerUrl: pages.offer.url
  slug: pages.offer.publish.slug
  sku: products.mug.sku
`;

export const PROGRAM = `
import { readFileSync } from "node:fs";
import * as pulumi from "@pulumi/pulumi";
import * as landform from "landform";

const config = new pulumi.Config();
const spring = new landform.Project("spring", { name: "Spring", description: ${JSON.stringify(DESCRIPTION)}, context: readFileSync("brand.md", "utf8") });
const main = new landform.Site("main", { name: "spring.example", projectId: spring.id });
const offer = new landform.Page("offer", {
  name: "Offer",
  projectId: spring.id,
  templateId: "tpl-hero",
  content: { "hero.title": "Hello" },
  variables: { brand: "Acme" },
  tags: ["spring"],
  publish: { siteId: main.id, slug: "offer" },
}, { ignoreChanges: ["tags"], aliases: [{ name: "old-offer" }] });
const copy = new landform.Page("copy", { duplicateOf: offer.id, content: { "hero.title": "Copy", "hero.text": offer.url } });
const mug = new landform.Product("mug", { price: 12.5, projectId: spring.id, ctaUrl: offer.url, sku: config.requireSecret("sku") });
const fit = new landform.Quiz("fit", { projectId: spring.id }, { protect: false, dependsOn: [mug] });
new landform.Funnel("spring", {
  projectId: spring.id,
  steps: [
    { pageId: offer.id, pageType: "presell" },
    { pageId: fit.id, pageType: "quiz" },
    { url: "https://pay.example", pageType: "sales" },
    { pageId: copy.id, pageType: "thankyou" },
  ],
});
new landform.VideoPlayer("tour", { videoId: (await landform.getVideo({ name: "Mug tour" })).id, loop: config.requireBoolean("loop") });
export const offerUrl = offer.url;
export const slug = offer.publish.slug;
export const sku = mug.sku;
`;

export const CONFIG = { "same:template": "Product launch", "same:loop": "true", "same:sku": "MUG-1" };
