import { icon } from "./art.ts";
import { finish, heading, input, question, quiz, record, section, submit, type Template, text } from "./build.ts";

const palette = { accent: "#0f766e", soft: "#daf0ed", dark: "#12302c" };

export const quizPlan: Template = {
  record: record("tpl-quiz-plan", {
    name: "Which plan fits you?",
    category: "quiz",
    description: "Four questions that lead to a recommendation by e-mail.",
    image: icon("chart", palette),
    type: "quiz",
  }),
  theme: { accent: "#0f766e", onAccent: "#ffffff", ink: "#152a27", tint: "#f0f7f6", dark: "#12302c", headings: "sans" },
  sections: [
    section(
      "top",
      { look: "bar" },
      text("top.brand", "{{brand}}", "brand"),
      text("top.note", "Takes one minute", "small"),
    ),
    section(
      "hero",
      { look: "tint", align: "center" },
      heading("hero.title", "Which plan fits your week?", 1),
      text("hero.text", "Four questions, no wrong answers. You get a plan that you can start on Monday.", "lead"),
      quiz(
        "quiz",
        "Which plan fits you?",
        "Thank you! Your plan is in your inbox. Start with page one, on Monday.",
        question(
          "quiz.time",
          "How much time do you have on a weekday evening?",
          "Ten minutes",
          "Half an hour",
          "An hour or more",
          "It differs every day",
        ),
        question("quiz.people", "Who do you plan for?", "Just me", "Two of us", "A family", "A team"),
        question(
          "quiz.goal",
          "What should be better in a month?",
          "Calmer evenings",
          "Lower bills",
          "Less waste",
          "More time for friends",
        ),
        question("quiz.start", "What have you tried before?", "Lists on paper", "Apps", "Nothing yet"),
        finish(
          heading("quiz.finish", "Your plan is ready. Where shall we send it?", 3),
          input("quiz.name", "name", "Your name", "First and last name"),
          input("quiz.email", "email", "E-mail", "you@mail.example", "email"),
          submit("quiz.submit", "Send me my plan"),
        ),
      ),
    ),
    section("footer", { look: "footer" }, text("footer.text", "© {{brand}}. Your answers stay with us.", "small")),
  ],
};
