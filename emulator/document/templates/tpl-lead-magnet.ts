import { book } from "./art.ts";
import {
  column,
  columns,
  form,
  heading,
  image,
  input,
  list,
  record,
  section,
  submit,
  type Template,
  testimonial,
  text,
} from "./build.ts";

const palette = { accent: "#d99a06", soft: "#fbf0d5", dark: "#2d2a3e" };

export const leadMagnet: Template = {
  record: record("tpl-lead-magnet", {
    name: "Guide for an e-mail address",
    category: "lead",
    description: "A free guide with its cover, what is inside, who wrote it, and a short form.",
    image: book(palette),
  }),
  theme: {
    accent: "#a16207",
    onAccent: "#ffffff",
    ink: "#26233a",
    tint: "#fdf9ee",
    dark: "#2d2a3e",
    headings: "serif",
  },
  sections: [
    section("top", { look: "bar" }, text("top.brand", "{{brand}}", "brand")),
    section(
      "hero",
      { look: "tint" },
      columns(
        { ratio: "wide-first" },
        column(
          text("hero.eyebrow", "Free guide · 24 pages", "eyebrow"),
          heading("hero.title", "The quiet garden: what to plant where it is never sunny", 1),
          text(
            "hero.text",
            "North walls, city yards, the bed under the big tree. Thirty plants that like the shade, and a plan for the first year.",
            "lead",
          ),
          form(
            "form",
            "Guide download",
            "It is yours! We have sent the guide to your address.",
            input("form.email", "email", "Where shall we send it?", "you@mail.example", "email"),
            input(
              "form.consent",
              "consent",
              "Yes, send me one garden letter a month as well. I can stop it at any time.",
              "",
              "checkbox",
            ),
            submit("form.submit", "Send me the guide"),
          ),
        ),
        image("hero.image", book(palette), "Cover of the guide", "portrait"),
      ),
    ),
    section(
      "inside",
      {},
      columns(
        {},
        column(
          heading("inside.title", "Inside the guide"),
          list(
            "inside.list",
            "check",
            "Thirty shade plants with their height, colour and month",
            "How to find out how much light you really have, with a sheet of paper",
            "Three planting plans: two square metres, ten, and a whole yard",
            "A calendar for the first year, one page a season",
          ),
        ),
        testimonial(
          "inside.quote",
          "The yard behind our house was a place for bicycles. Now we have breakfast there.",
          "Reader of the guide",
          "City yard, 18 square metres",
        ),
      ),
    ),
    section(
      "about",
      { look: "dark", align: "center" },
      heading("about.title", "Written by the gardeners of {{brand}}"),
      text("about.text", "We have planted difficult corners since {{year}}, and wrote down what survived.", "lead"),
    ),
    section("footer", { look: "footer" }, text("footer.text", "© {{brand}}. We never pass on addresses.", "small")),
  ],
};
