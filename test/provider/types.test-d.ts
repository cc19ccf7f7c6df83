/** Programs that the types refuse, and the types of outputs. `npm run typecheck` checks them; they never run. */
import type * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { defineResource, type ResourceDefinition } from "../../provider/definition/define.ts";
import {
  Account,
  Funnel,
  getPage,
  getPageOutput,
  Hook,
  LandingFunnel,
  listLeads,
  listPages,
  listPagesOutput,
  listProjects,
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

// Missing properties
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

// Lookups
void listPages();
void listPages({ projectId: "p", published: true, limit: 5 }, { account: { baseUrl: "https://b", apiKeyEnv: "B" } });
void listLeads({ type: "quiz" });
listPagesOutput({ projectId: project.id, limit: 5 }).apply(
  ([first]) => first?.pageName,
) satisfies pulumi.Output<unknown>;
listPagesOutput();
getPageOutput({ id: page.id }).pageName satisfies pulumi.Output<string>;
// @ts-expect-error the filter is called projectId
void listPages({ project: "p" });
// @ts-expect-error a limit is a number
void listPages({ limit: "5" });
// @ts-expect-error projects have no such filter
void listProjects({ published: true });
// @ts-expect-error no such kind of lead
void listLeads({ type: "video" });
// @ts-expect-error a plain lookup takes no output
void listPages({ projectId: project.id });
// @ts-expect-error the filter is called projectId
listPagesOutput({ project: project.id });
// @ts-expect-error an id or a name, not both
void getPage({ id: "p", name: "Offer" });
// @ts-expect-error an id or a name
void getPage({});
// @ts-expect-error a page has no such property
getPageOutput({ id: "p" }).pageNam satisfies unknown;

type Inputs = z.ZodObject<{ note: z.ZodOptional<z.ZodString> }>;
type Row = Readonly<{ id: string; short_name: string }>;
declare const rest: Omit<ResourceDefinition<Inputs, Row>, "rules" | "outputs" | "shown">;
defineResource({ ...rest, outputs: z.object({ shortName: z.string() }), rules: { note: { cleared: "" } } });
// @ts-expect-error nobody says what becomes of a note that leaves the code
defineResource({ ...rest, outputs: z.object({ shortName: z.string() }), rules: {} });
// @ts-expect-error the record has no note
defineResource({ ...rest, outputs: z.object({ note: z.string() }), rules: { note: { stays: true } } });
