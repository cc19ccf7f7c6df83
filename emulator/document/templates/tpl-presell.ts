import { landscape, parcel } from "./art.ts";
import {
  button,
  delayMarker,
  heading,
  image,
  list,
  record,
  section,
  type Template,
  testimonial,
  text,
} from "./build.ts";

const palette = { accent: "#c2410c", soft: "#fdeadc", dark: "#43302b" };

export const presell: Template = {
  record: record("tpl-presell", {
    name: "Story before the offer",
    category: "presell",
    description: "An article that leads to the sales page: a headline, a story with a picture, a list, and one button.",
    image: landscape(palette),
  }),
  theme: {
    accent: "#c2410c",
    onAccent: "#ffffff",
    ink: "#2a211d",
    tint: "#fdf6f0",
    dark: "#43302b",
    headings: "serif",
  },
  sections: [
    section(
      "top",
      { look: "bar" },
      text("top.brand", "The {{brand}} Journal", "brand"),
      text("top.label", "Advertorial", "small"),
    ),
    section(
      "story",
      { width: "narrow" },
      text("story.eyebrow", "At home · 4 minute read", "eyebrow"),
      heading("story.title", "I gave my kitchen ten minutes a day. By Friday I had my evenings back", 1),
      text(
        "story.lead",
        "Three people, two jobs and one shelf of spices nobody could find. What changed was not the cooking.",
        "lead",
      ),
      image("story.image", landscape(palette), "A low sun over rolling hills"),
      text(
        "story.text",
        "For years the evening went the same way. Somebody looked for the lid, somebody ordered in, and the vegetables waited for a better week.\n\nThen a friend showed me the box on her counter. Everything for five dinners, measured on Sunday, in the order in which it is needed. No screen, no subscription to forget about.\n\nI tried it for a week, mostly to prove her wrong.",
      ),
    ),
    section(
      "change",
      { look: "tint", width: "narrow" },
      heading("change.title", "What was different after five days"),
      list(
        "change.list",
        "check",
        "Dinner on the table in twenty minutes, four times out of five.",
        "One shop a week instead of four, and nothing thrown away on Saturday.",
        "The children cook on Wednesdays, because they know where things are.",
      ),
      testimonial(
        "change.quote",
        "I thought it was a box. It is really a plan that you can hold in your hand.",
        "Reader of the journal",
        "Cooks for four, works full time",
      ),
    ),
    section(
      "offer",
      { look: "dark", align: "center" },
      delayMarker(),
      text("offer.eyebrow", "So what is in it?", "eyebrow"),
      image(
        "offer.image",
        parcel({ accent: "#ea7a3b", soft: "#5a443d", dark: "#2a1f1b" }),
        "A box beside a jar",
        "portrait",
      ),
      heading("offer.title", "The {{product}} starter box"),
      text(
        "offer.text",
        "See what comes in the box, what it costs, and how to send it back if it is not for you.",
        "lead",
      ),
      button("offer.cta", "Show me the box"),
      text("offer.note", "You decide on the next page. Nothing is ordered yet.", "small"),
    ),
    section(
      "footer",
      { look: "footer" },
      text("footer.text", "© {{brand}}", "small"),
      text("footer.note", "This article is advertising by {{brand}}. Results differ from home to home.", "small"),
    ),
  ],
};
