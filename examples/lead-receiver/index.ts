/** A page with a form, and a webhook for each lead and for each change of the page. */
import * as pulumi from "@pulumi/pulumi";
import * as landform from "landform";

const address = new pulumi.Config().get("receiver") ?? "https://leads.example.com/landform";

const site = new landform.Site("guide", { name: "guide.example" });

const page = new landform.Page("guide", {
  name: "The guide to better coffee",
  templateId: "tpl-hero",
  variables: { brand: "Example Mugs" },
  content: { "hero.title": "Better coffee in three minutes" },
  publish: { siteId: site.id, slug: "guide" },
});

// Each subscription has a token of its own, which tells the deliveries of an orphaned one apart.
const leads = new landform.Hook("leads", { eventType: "form_lead.created", targetUrl: address, token: true });
const published = new landform.Hook("published", { eventType: "page.published", targetUrl: address, token: true });

export const url = page.url;
/** A secret: receiver.ts gets it as LANDFORM_TOKENS. */
export const tokens = pulumi.interpolate`${leads.deliveryToken},${published.deliveryToken}`;
