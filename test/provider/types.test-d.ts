/** Programs that the types refuse, and outputs as they are typed. Checked by `npm run typecheck`; never run. */
import type * as pulumi from "@pulumi/pulumi";
import { Account, Funnel, Hook, LandingFunnel, Page, Product, Project, Quiz, Site, VideoPlayer } from "landform";

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
void page.uRl;

// Unknown properties
// @ts-expect-error
new Page("p", { template: "tpl-hero" });
// @ts-expect-error
new Page("p", { publish: { siteId: "s", slugg: "x" } });
// @ts-expect-error
new Project("p", { description: text, context: text, descripton: text });
// @ts-expect-error
new Product("p", { compare_price: 5 });

// Wrong types
// @ts-expect-error
new Page("p", { tags: "a,b" });
// @ts-expect-error
new Page("p", { variables: { brand: 5 } });
// @ts-expect-error
new Page("p", { content: { when: new Date() } });
// @ts-expect-error
new Product("p", { price: "12.50" });
// @ts-expect-error
new Product("p", { type: "bundel" });
// @ts-expect-error
new Hook("h", { eventType: "video.uploaded", targetUrl: "https://x.example" });

// Missing ones
// @ts-expect-error
new Page("p", { publish: { slug: "x" } });
// @ts-expect-error
new Funnel("f", { steps: [{ pageId: "p" }] });
// @ts-expect-error
new Hook("h", { eventType: "page.created" });
// @ts-expect-error
new VideoPlayer("v", {});
// @ts-expect-error
new Product("p", { variants: [{ id: "a" }] });
// @ts-expect-error a step without its type
new LandingFunnel("l", { projectId: "p", siteId: "s", steps: [{ key: "offer", templateId: "t" }] });
// @ts-expect-error the key itself never enters a program
new Account("b", { baseUrl: "https://b.example/v1", apiKey: "k" });
