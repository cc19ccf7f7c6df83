import { icon } from "./art.ts";
import { button, card, columns, heading, image, record, section, type Template, text } from "./build.ts";

const palette = { accent: "#0369a1", soft: "#e0f0fa", dark: "#0c2d43" };

export const thankYou: Template = {
  record: record("tpl-thankyou", {
    name: "Thank you",
    category: "thankyou",
    description: "The end of a funnel: a confirmation, what happens next in three steps, and one way to go on.",
    image: icon("heart", palette),
  }),
  theme: { accent: "#0369a1", onAccent: "#ffffff", ink: "#10222e", tint: "#f2f8fc", dark: "#0c2d43", headings: "sans" },
  sections: [
    section("top", { look: "bar" }, text("top.brand", "{{brand}}", "brand")),
    section(
      "hero",
      { look: "tint", align: "center" },
      image("hero.image", icon("shield", palette), "", "icon"),
      heading("hero.title", "Thank you! That worked.", 1),
      text("hero.text", "A confirmation is on its way to your inbox. Here is what happens now.", "lead"),
    ),
    section(
      "next",
      { align: "center" },
      columns(
        {},
        card(
          {},
          text("next.1.badge", "Now", "badge"),
          heading("next.1.title", "Look into your inbox", 3),
          text("next.1.text", "The message comes from {{support_email}}. If it hides, look among the advertising."),
        ),
        card(
          {},
          text("next.2.badge", "Within a day", "badge"),
          heading("next.2.title", "We get things ready", 3),
          text("next.2.text", "You get a second message as soon as your order or your access is ready."),
        ),
        card(
          {},
          text("next.3.badge", "Any time", "badge"),
          heading("next.3.title", "Ask a person", 3),
          text("next.3.text", "Answer any of our messages. Somebody at {{brand}} reads it the same working day."),
        ),
      ),
    ),
    section(
      "more",
      { look: "dark", align: "center" },
      heading("more.title", "While you wait"),
      text("more.text", "Two minutes, five questions, and a plan that fits you.", "lead"),
      button("more.cta", "Take me there"),
    ),
    section("footer", { look: "footer" }, text("footer.text", "© {{brand}}", "small")),
  ],
};
