/** One page in two accounts: the account of the program's own key, and a second one. */
import * as pulumi from "@pulumi/pulumi";
import * as landform from "landform";

// Keys never enter the program: the second account names the variable that holds its key.
const partner = new landform.Account("partner", {
  baseUrl: new pulumi.Config().require("partnerUrl"),
  apiKeyEnv: "PARTNER_API_KEY",
});

const accounts: Record<string, pulumi.ProviderResource | undefined> = { own: undefined, partner };

/** An id means nothing in another account, so every account gets a project and a site of its own. */
function campaign(name: string, provider: pulumi.ProviderResource | undefined): pulumi.Output<string | null> {
  const options = { provider };
  const project = new landform.Project(
    `${name}-spring`,
    {
      name: "Spring",
      description: "The spring campaign, which runs in the accounts of two brands at once.",
      context:
        "One offer under two brands: a guide to gardens without sun, given away for an e-mail address. Both brands speak " +
        "to people with a city yard, in a friendly and plain tone. The pages are the same but for the brand's name and colours.",
    },
    options,
  );
  const site = new landform.Site(`${name}-site`, { name: `${name}.spring.example`, projectId: project.id }, options);
  const page = new landform.Page(
    `${name}-guide`,
    {
      name: "Guide",
      projectId: project.id,
      templateId: "tpl-lead-magnet",
      variables: { brand: name === "own" ? "Green Yard" : "Partner Plants", year: "2012" },
      publish: { siteId: site.id, slug: "guide" },
    },
    options,
  );
  return page.url;
}

export const urls = Object.fromEntries(
  Object.entries(accounts).map(([name, provider]) => [name, campaign(name, provider)]),
);
