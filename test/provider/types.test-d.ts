/** Programs that the types refuse, and outputs as they are typed. Checked by `npm run typecheck`; never run. */
import type * as pulumi from "@pulumi/pulumi";
import {
  Account,
  Funnel,
  Hook,
  LandingFunnel,
  Page,
  Product,
  Project,
  Quiz,
  Site,
  VideoPlayer,
} from "../../provider/index.ts";

const text = "x";
const project = new Project("p", { description: text, context: text });
const page = new Page("p", {
  projectId: project.id,
  templateId: "tpl-hero",
  content: { "hero.title": page0().url, deep: { list: [project.id, 1, null] } },
  variables: { brand: project.name },
  publish: { siteId: new Site("s").id, slug: "offer" },
  nodes: { a: { style: { color: "red" } }, b: { node: { id: "b" } } },
});
new Funnel("f", {
  steps: [
    { pageId: page.id, pageType: "sales" },
    { url: "https://pay.example", pageType: "thankyou" },
  ],
});
new Product("p", { type: "bundle", bundleItems: [{ id: page.id }], subscription: { enabled: true } });
new Account("b", { baseUrl: "https://b.example/v1", apiKeyEnv: "OTHER_KEY" });

declare function page0(): Page;

// Outputs
page.url satisfies pulumi.Output<string | null>;
page.status satisfies pulumi.Output<string>;
page.hasUnpublishedChanges satisfies pulumi.Output<boolean>;
project.active satisfies pulumi.Output<boolean>;
new Quiz("q").quizId satisfies pulumi.Output<string | null>;
new Product("p").price satisfies pulumi.Output<number | null>;
// @ts-expect-error an output is no plain value
page.url satisfies string;
// @ts-expect-error there is no such output
page.uRl satisfies unknown;

// Unknown properties
// @ts-expect-error the input is called templateId
new Page("p", { template: "tpl-hero" });
// @ts-expect-error the input is called slug
new Page("p", { publish: { siteId: "s", slugg: "x" } });
// @ts-expect-error misspelt description
new Project("p", { description: text, context: text, descripton: text });
// @ts-expect-error names are in camelCase
new Product("p", { compare_price: 5 });

// Wrong types
// @ts-expect-error tags are a list
new Page("p", { tags: "a,b" });
// @ts-expect-error values of variables are text
new Page("p", { variables: { brand: 5 } });
// @ts-expect-error a Date is no JSON value
new Page("p", { content: { when: new Date() } });
// @ts-expect-error a price is a number
new Product("p", { price: "12.50" });
// @ts-expect-error no such type of product
new Product("p", { type: "bundel" });
// @ts-expect-error no such event
new Hook("h", { eventType: "video.uploaded", targetUrl: "https://x.example" });

// Missing ones
// @ts-expect-error siteId is missing
new Page("p", { publish: { slug: "x" } });
// @ts-expect-error pageType is missing
new Funnel("f", { steps: [{ pageId: "p" }] });
// @ts-expect-error targetUrl is missing
new Hook("h", { eventType: "page.created" });
// @ts-expect-error videoId is missing
new VideoPlayer("v", {});
// @ts-expect-error name is missing
new Product("p", { variants: [{ id: "a" }] });
// @ts-expect-error a step without its type
new LandingFunnel("l", { projectId: "p", siteId: "s", steps: [{ key: "offer", templateId: "t" }] });
// @ts-expect-error the key itself never enters a program
new Account("b", { baseUrl: "https://b.example/v1", apiKey: "k" });
