/** Two products and their bundle, and a funnel of three pages that sells the bundle. */
import * as landform from "landform";

const project = new landform.Project("kitchen", {
  name: "Jar & Day",
  description: "Storage jars and weekly dinner plans for kitchens with little room.",
  context:
    "Jar & Day sells stackable storage jars with a dinner planner. The buyers cook for a family on weekdays and have no " +
    "time to plan. The tone is calm and practical: short sentences, no pressure, prices with tax, delivery in three days.",
});

const site = new landform.Site("shop", { name: "jar-and-day.example", projectId: project.id });

const jars = new landform.Product("jars", {
  name: "Twelve jars",
  projectId: project.id,
  price: 49,
  comparePrice: 58,
  variants: [
    { id: "clear", name: "Clear glass" },
    { id: "amber", name: "Amber glass" },
  ],
});

const planner = new landform.Product("planner", { name: "Dinner planner", projectId: project.id, price: 12.5 });

const box = new landform.Product("box", {
  name: "Starter box",
  type: "bundle",
  projectId: project.id,
  bundleItems: [
    { product_id: jars.id, quantity: 1 },
    { product_id: planner.id, quantity: 1 },
  ],
  bundleDiscount: 15,
  ctaText: "Order the starter box",
  ctaUrl: "https://pay.example/starter-box",
  ctaTarget: true,
});

const variables = { brand: "Jar & Day", product: "Starter box", support_email: "help@jar-and-day.example" };

const funnel = new landform.LandingFunnel("starter-box", {
  projectId: project.id,
  siteId: site.id,
  steps: [
    { key: "story", pageType: "presell", templateId: "tpl-presell", variables },
    { key: "offer", pageType: "sales", templateId: "tpl-sales", variables },
    { url: "https://pay.example/starter-box", pageType: "checkout" },
    { key: "thanks", pageType: "thankyou", templateId: "tpl-thankyou", variables },
  ],
});

export const url = funnel.url;
export const boxId = box.id;
