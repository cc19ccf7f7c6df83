/** A quiz as the first step of a funnel. The service sends its leads to a receiver of your own. */
import * as pulumi from "@pulumi/pulumi";
import * as landform from "landform";

const receiver = new pulumi.Config().get("receiver") ?? "https://crm.example.com/landform/leads";

const project = new landform.Project("tea", {
  name: "Steep",
  description: "A tea shop with two hundred blends and a quiz that finds the right one.",
  context:
    "Steep sells loose tea in small tins. Most visitors don't know what they like, so the quiz asks three questions and " +
    "recommends one blend with a small discount. The tone is playful but short; no health claims, prices in euros.",
});

const site = new landform.Site("web", { name: "steep.example", projectId: project.id });

const quiz = new landform.Quiz("finder", {
  name: "Tea finder",
  projectId: project.id,
  templateId: "tpl-quiz-product",
  variables: { brand: "Steep", product_count: "200" },
  content: { "hero.title": "Three questions to your next favourite tea" },
  publish: { siteId: site.id, slug: "finder" },
});

const thanks = new landform.Page("thanks", {
  name: "Your match",
  projectId: project.id,
  templateId: "tpl-thankyou",
  variables: { brand: "Steep", support_email: "hello@steep.example" },
  publish: { siteId: site.id, slug: "match" },
});

// The id of a quiz resource is the id of its page, and a step takes that id.
new landform.Funnel("finder", {
  name: "Tea finder",
  projectId: project.id,
  steps: [
    { pageId: quiz.id, pageType: "quiz" },
    { pageId: thanks.id, pageType: "thankyou" },
  ],
});

// The token tells deliveries of this subscription from those of an orphaned one.
const hook = new landform.Hook("leads", { eventType: "quiz_lead.created", targetUrl: receiver, token: true });

export const url = quiz.url;
export const quizId = quiz.quizId;
/** A secret: the receiver compares `landform_token` with it. */
export const deliveryToken = hook.deliveryToken;
