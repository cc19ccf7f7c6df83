import { landscape } from "./art.ts";
import { finish, heading, input, question, quiz, record, section, submit, type Template, text } from "./build.ts";

const palette = { accent: "#be185d", soft: "#fce7f0", dark: "#4a0d2b" };

export const quizProduct: Template = {
  record: record("tpl-quiz-product", {
    name: "Find the right product",
    category: "quiz",
    description: "Three questions about taste and use, then the best match goes out by e-mail.",
    image: landscape(palette),
    type: "quiz",
  }),
  theme: {
    accent: "#be185d",
    onAccent: "#ffffff",
    ink: "#31101f",
    tint: "#fff5f9",
    dark: "#4a0d2b",
    headings: "serif",
  },
  sections: [
    section("top", { look: "bar" }, text("top.brand", "{{brand}}", "brand")),
    section(
      "hero",
      { look: "dark", align: "center" },
      text("hero.eyebrow", "The tea finder", "eyebrow"),
      heading("hero.title", "Three questions to your next favourite tea", 1),
      text("hero.text", "Out of {{product_count}} blends, one is yours. Tell us how you drink it.", "lead"),
      quiz(
        "quiz",
        "Tea finder",
        "Found! Your match and a small discount are in your inbox.",
        question(
          "quiz.moment",
          "When do you reach for the kettle?",
          "First thing in the morning",
          "After lunch ☀️",
          "When it gets dark 🌙",
        ),
        question(
          "quiz.taste",
          "What do you like most?",
          "Flowers and fruit",
          "Smoke and spice",
          "Grass and sea",
          "Malt and cream",
        ),
        question("quiz.strength", "How strong may it be?", "Light", "In between", "The spoon should stand"),
        finish(
          heading("quiz.finish", "We have a match. Where shall we send it?", 3),
          input("quiz.first", "first_name", "First name", "Your first name"),
          input("quiz.email", "email", "E-mail", "you@mail.example", "email"),
          submit("quiz.submit", "Show me my tea"),
        ),
      ),
    ),
    section("footer", { look: "footer" }, text("footer.text", "© {{brand}}", "small")),
  ],
};
