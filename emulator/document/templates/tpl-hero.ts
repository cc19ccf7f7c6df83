import { icon, landscape, mug } from "./art.ts";
import {
  button,
  card,
  column,
  columns,
  faq,
  form,
  heading,
  image,
  input,
  list,
  record,
  section,
  stat,
  submit,
  type Template,
  testimonial,
  text,
} from "./build.ts";

const palette = { accent: "#4f46e5", soft: "#e7e6fb", dark: "#1e1b4b" };

export const hero: Template = {
  record: record("tpl-hero", {
    name: "Product launch",
    category: "sales",
    description: "A product at a glance: hero, benefits, proof, questions, and a form for early access.",
    image: landscape(palette),
  }),
  theme: { accent: "#4f46e5", onAccent: "#ffffff", ink: "#17163a", tint: "#f5f5ff", dark: "#1e1b4b", headings: "sans" },
  sections: [
    section(
      "top",
      { look: "bar" },
      text("top.brand", "{{brand}}", "brand"),
      button("top.cta", "Get early access", "#start", "ghost"),
    ),
    section(
      "hero",
      { look: "tint" },
      columns(
        { ratio: "wide-first" },
        column(
          text("hero.eyebrow", "New from {{brand}}", "eyebrow"),
          heading("hero.title", "Made by hand, for every morning", 1),
          text(
            "hero.text",
            "{{brand}} throws each piece on the wheel, glazes it twice and fires it for two days. No two are quite alike, and every one is meant to be used.",
            "lead",
          ),
          button("hero.cta", "Choose yours", "#start"),
          text("hero.note", "Free shipping for two. Thirty days to send it back.", "small"),
        ),
        image("hero.image", mug(palette), "A steaming mug on a table"),
      ),
    ),
    section(
      "proof",
      { align: "center" },
      columns(
        {},
        stat("proof.teams", "1,200+", "kitchens start their day with one"),
        stat("proof.hours", "48 hours", "in the kiln, for a glaze that lasts"),
        stat("proof.rating", "4.8 / 5", "average rating by customers"),
      ),
    ),
    section(
      "benefits",
      { align: "center" },
      heading("benefits.title", "Small things, done properly"),
      text("benefits.text", "Three reasons why people buy a second one.", "lead"),
      columns(
        {},
        card(
          {},
          image("benefits.plan.image", icon("leaf", palette), "", "icon"),
          heading("benefits.plan.title", "Clay from nearby", 3),
          text("benefits.plan.text", "Dug less than an hour from the workshop, and glazed without lead."),
        ),
        card(
          {},
          image("benefits.warn.image", icon("clock", palette), "", "icon"),
          heading("benefits.warn.title", "Warm for longer", 3),
          text("benefits.warn.text", "Thick walls and a wide foot keep a drink warm until it is gone."),
        ),
        card(
          {},
          image("benefits.trust.image", icon("shield", palette), "", "icon"),
          heading("benefits.trust.title", "Mended, not replaced", 3),
          text("benefits.trust.text", "A broken handle comes back to us, and goes home whole."),
        ),
      ),
    ),
    section(
      "how",
      { look: "tint" },
      columns(
        {},
        column(
          heading("how.title", "From the wheel to your table"),
          list(
            "how.steps",
            "number",
            "Choose a colour and a size.",
            "We make it, and send a picture from the kiln.",
            "It arrives within ten days, packed in paper.",
          ),
        ),
        testimonial(
          "how.quote",
          "I bought one for myself and had to order four more, since nobody in this house would give it back.",
          "A customer",
          "Household of five",
        ),
      ),
    ),
    section(
      "start",
      { look: "dark", align: "center" },
      heading("start.title", "Be there when the kiln opens"),
      text("start.text", "Leave your address, and choose before everyone else does.", "lead"),
      form(
        "form",
        "Early access",
        "Thank you! Your invitation is on its way. Please look into your inbox.",
        input("form.name", "name", "Your name", "First and last name"),
        input("form.email", "email", "E-mail", "you@mail.example", "email"),
        submit("form.submit", "Get early access"),
      ),
      text("start.note", "One letter for each kiln, and no more.", "small"),
    ),
    section(
      "faq",
      {},
      heading("faq.title", "Questions people ask first"),
      faq(
        "faq.1",
        "Can it go into the dishwasher?",
        "Yes, and into the microwave. The glaze was fired at more than 1,200 degrees.",
      ),
      faq(
        "faq.2",
        "Why does mine look different from the picture?",
        "Because it was made by hand. If you don't like it, send it back within thirty days.",
      ),
      faq("faq.3", "What does shipping cost?", "Four euros for one, and nothing for two or more."),
    ),
    section("footer", { look: "footer" }, text("footer.text", "© {{brand}}. All rights reserved.", "small")),
  ],
};
