/** A stack of every kind that has its own calls, made with some forty calls, in three versions: as a program and as a landform.yaml. */
import { stringify } from "yaml";
import { LONG } from "../scenarios.ts";

export const VERSIONS = ["1", "2", "3"] as const;
export type Version = (typeof VERSIONS)[number];

/** A large program has so many changes that Pulumi saves the state once, and a release and a page that is taken over among them. */
export type Form = "program" | "large program" | "landform.yaml";

/** Returns the files of that version. Version 2 changes everything that can change, and version 3 replaces everything that can be replaced. */
export function filesOf(form: Form, version: Version): Readonly<Record<string, string>> {
  if (form === "landform.yaml") return { "landform.yaml": stringify(manifestOf(version)) };
  return { "index.ts": form === "program" ? PROGRAM : PROGRAM + MORE, version };
}

const VARIABLES = {
  brand: "Acme",
  product_count: "12",
  product: "mug",
  price: "5",
  product_name: "mug",
  support_email: "help@acme.example",
};

function manifestOf(version: Version): object {
  const changed = version === "2";
  const replaced = version === "3";
  const price = changed ? 7 : 5;
  const own = replaced ? {} : { project: "spring" };
  const steps = [
    { page: "offer", pageType: "sales" },
    ...(changed ? [] : [{ quiz: "fit", pageType: "thankyou" }]),
    { page: "thanks", pageType: "thankyou" },
  ];
  return {
    landform: 1,
    name: "test",
    projects: { spring: { description: changed ? `${LONG}more` : LONG, context: LONG } },
    sites: { "spring.example": { project: "spring" } },
    products: { mug: { price, project: "spring", variants: [{ id: "s", name: "Small" }] }, cup: { price, ...own } },
    pages: {
      offer: {
        project: "spring",
        template: replaced ? "tpl-sales" : "tpl-hero",
        variables: VARIABLES,
        content: { "hero.title": changed ? "Two" : "One" },
        tags: [changed ? "b" : "a"],
        publish: { site: "spring.example", slug: "offer" },
      },
      thanks: {
        project: "spring",
        productLabel: changed ? "cup" : "mug",
        ...(replaced && { template: "tpl-hero" }),
      },
    },
    quizzes: {
      fit: {
        project: "spring",
        template: replaced ? "tpl-quiz-plan" : "tpl-quiz-product",
        content: { "hero.title": changed ? "Two" : "One" },
      },
    },
    funnels: { path: { ...own, steps } },
    hooks: { leads: { eventType: "form_lead.created", targetUrl: `https://8.8.8.8/${replaced ? "new" : "leads"}` } },
  };
}

const PROGRAM = `import * as landform from "landform";
import { readFileSync } from "node:fs";
const version = readFileSync(new URL("version", import.meta.url), "utf8");
const changed = version === "2";
const replaced = version === "3";
const price = changed ? 7 : 5;
const context = "${LONG}";
const { id: projectId } = new landform.Project("spring", { description: changed ? context + "more" : context, context });
const { id: siteId } = new landform.Site("spring.example", { projectId });
new landform.Product("mug", { price, projectId, variants: [{ id: "s", name: "Small" }] });
new landform.Product("cup", { price, projectId: replaced ? undefined : projectId });
const offer = new landform.Page("offer", {
  projectId,
  templateId: replaced ? "tpl-sales" : "tpl-hero",
  variables: ${JSON.stringify(VARIABLES)},
  content: { "hero.title": changed ? "Two" : "One" },
  tags: [changed ? "b" : "a"],
  publish: { siteId, slug: "offer" },
});
const thanks = new landform.Page("thanks", { projectId, productLabel: changed ? "cup" : "mug", templateId: replaced ? "tpl-hero" : undefined });
const fit = new landform.Quiz("fit", { projectId, templateId: replaced ? "tpl-quiz-plan" : "tpl-quiz-product", content: { "hero.title": changed ? "Two" : "One" } });
new landform.Funnel("path", {
  projectId: replaced ? undefined : projectId,
  steps: [offer, ...(changed ? [] : [fit]), thanks].map(({ id }, at) => ({ pageId: id, pageType: at === 0 ? "sales" : "thankyou" })),
});
new landform.Hook("leads", { eventType: "form_lead.created", targetUrl: "https://8.8.8.8/" + (replaced ? "new" : "leads") });
`;

const MORE = `
for (let number = 0; number < 28; number++) new landform.Product("product-" + number, { price: 4 + Number(version), projectId });
const released = (name: string) => new landform.Page(name, {
  projectId,
  templateId: "tpl-hero",
  variables: ${JSON.stringify(VARIABLES)},
  content: { "hero.title": name + version },
  publish: { siteId, slug: name },
});
new landform.Release("launch", { pages: () => ({ one: released("one"), two: released("two") }) });
new landform.Page("adopted", { adoptId: readFileSync(new URL("adopted", import.meta.url), "utf8"), tags: [version] });
`;
