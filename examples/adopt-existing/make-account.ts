/** Fills an account as a person would in the app, so that there is something to export. */
import { LandformApi, resolveConfig } from "landform/api";

const BRIEF =
  "Example Mugs sells handmade mugs to people who take their coffee seriously. The tone is warm and plain.\n\n" +
  "The offer is one mug at a fair price, with free shipping for two, and a guide to better coffee for everyone who " +
  "leaves an address. Nothing is urgent, and nobody is pushed.\n";

const api = new LandformApi(resolveConfig(process.env));
const { id: project_id } = await api.projects.create({
  name: "Spring launch",
  description: "Pages, a product and a funnel for the spring launch of Example Mugs.",
  context: BRIEF,
});
const { id: site_id } = await api.sites.create({ name: "mugs.example", project_id });

async function publish(template_id: string, name: string, slug: string): Promise<string> {
  const { id: page_id } = await api.pages.createFromTemplate({ template_id, name, project_id });
  const { variables } = await api.builder.contentMap(page_id);
  const values = Object.fromEntries(variables.map((variable) => [variable, "Example Mugs"]));
  await api.pages.replaceVariables({ page_id, variables: values });
  await api.pages.publish({ page_id, site_id, slug });
  return page_id;
}

const story = await publish("tpl-presell", "Our story", "");
const thanks = await publish("tpl-thankyou", "Thank you!", "thanks");
await api.products.create({ name: "Mug, blue", price: 12.5, sku: "MUG-BLUE", project_id });
await api.funnels.create({
  name: "Spring launch",
  project_id,
  pages: [
    { pageId: story, pageType: "presell" },
    { url: "https://pay.example/mug", pageType: "sales" },
    { pageId: thanks, pageType: "thankyou" },
  ],
});
await api.close();
