import { dashboard, icon, landscape } from "./art.ts";
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
    description: "A software product at a glance: hero, benefits, proof, questions, and a form for early access.",
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
          heading("hero.title", "Know what your week costs before it starts", 1),
          text(
            "hero.text",
            "{{brand}} turns calendars, invoices and time sheets into one picture of where the hours go. Plan on Monday, adjust on Wednesday, and close the week on budget.",
            "lead",
          ),
          button("hero.cta", "Start free for 30 days", "#start"),
          text("hero.note", "No card needed. Set up in ten minutes.", "small"),
        ),
        image("hero.image", dashboard(palette), "A weekly budget chart beside a list of projects"),
      ),
    ),
    section(
      "proof",
      { align: "center" },
      columns(
        {},
        stat("proof.teams", "1,200+", "teams plan their week with it"),
        stat("proof.hours", "6 hours", "saved a week by a team of eight"),
        stat("proof.rating", "4.8 / 5", "average rating by customers"),
      ),
    ),
    section(
      "benefits",
      { align: "center" },
      heading("benefits.title", "Everything the Monday meeting was meant to do"),
      text("benefits.text", "Three views that answer the questions people really ask.", "lead"),
      columns(
        {},
        card(
          {},
          image("benefits.plan.image", icon("chart", palette), "", "icon"),
          heading("benefits.plan.title", "See the plan", 3),
          text("benefits.plan.text", "Budgets and bookings side by side, by client, by person or by week."),
        ),
        card(
          {},
          image("benefits.warn.image", icon("clock", palette), "", "icon"),
          heading("benefits.warn.title", "Hear about it early", 3),
          text("benefits.warn.text", "A short note when a project drifts, while there is still time to talk."),
        ),
        card(
          {},
          image("benefits.trust.image", icon("shield", palette), "", "icon"),
          heading("benefits.trust.title", "Share what you like", 3),
          text("benefits.trust.text", "Clients see their own project and nothing else. You decide how much."),
        ),
      ),
    ),
    section(
      "how",
      { look: "tint" },
      columns(
        {},
        column(
          heading("how.title", "Running by lunchtime"),
          list(
            "how.steps",
            "number",
            "Connect your calendar and your time sheets.",
            "Name your clients and what they agreed to.",
            "Invite the team. Their week is filled in already.",
          ),
        ),
        testimonial(
          "how.quote",
          "We stopped guessing. The first month paid for the year, because we found two projects that nobody was billing.",
          "Managing director",
          "Design studio, fourteen people",
        ),
      ),
    ),
    section(
      "start",
      { look: "dark", align: "center" },
      heading("start.title", "Try {{brand}} with your own numbers"),
      text("start.text", "Leave your address and get an invitation within one working day.", "lead"),
      form(
        "form",
        "Early access",
        "Thank you! Your invitation is on its way. Please look into your inbox.",
        input("form.name", "name", "Your name", "First and last name"),
        input("form.email", "email", "Work e-mail", "you@company.example", "email"),
        submit("form.submit", "Get early access"),
      ),
      text("start.note", "One invitation, no newsletter.", "small"),
    ),
    section(
      "faq",
      {},
      heading("faq.title", "Questions people ask first"),
      faq(
        "faq.1",
        "Which calendars work?",
        "Any calendar that can share an ICS address. Most teams connect theirs in a minute.",
      ),
      faq(
        "faq.2",
        "Where is our data kept?",
        "In the region that you choose when you sign up. You can export or delete everything at any time.",
      ),
      faq(
        "faq.3",
        "What does it cost later?",
        "Nine euros a person and month, after 30 free days. Guests and clients are free.",
      ),
    ),
    section("footer", { look: "footer" }, text("footer.text", "© {{brand}}. All rights reserved.", "small")),
  ],
};
