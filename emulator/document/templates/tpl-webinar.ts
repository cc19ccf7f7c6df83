import { icon, portrait } from "./art.ts";
import {
  button,
  card,
  column,
  columns,
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
  text,
} from "./build.ts";

const palette = { accent: "#7c3aed", soft: "#efe7fd", dark: "#2b1455" };

export const webinar: Template = {
  record: record("tpl-webinar", {
    name: "Webinar registration",
    category: "webinar",
    description: "A live session: date and time, what people take away, who speaks, and a registration form.",
    image: portrait(palette),
  }),
  theme: { accent: "#7c3aed", onAccent: "#ffffff", ink: "#21143a", tint: "#f8f5ff", dark: "#2b1455", headings: "sans" },
  sections: [
    section(
      "top",
      { look: "bar" },
      text("top.brand", "{{brand}} Live", "brand"),
      button("top.cta", "Save my seat", "#register", "ghost"),
    ),
    section(
      "hero",
      { look: "dark" },
      columns(
        { ratio: "wide-first" },
        column(
          text("hero.eyebrow", "Free live session · {{date}}", "eyebrow"),
          heading("hero.title", "Write the brief that writes the campaign", 1),
          text(
            "hero.text",
            "One hour, one real brief, from blank page to a plan that a team can start on. Bring your own and work along.",
            "lead",
          ),
          list(
            "hero.list",
            "check",
            "A one-page brief you can reuse the same afternoon",
            "The five questions that save the second meeting",
            "Half an hour for your own questions",
          ),
        ),
        form(
          "register",
          "Webinar registration",
          "Your seat is saved. The link for the session is in your inbox.",
          heading("register.title", "Save your seat", 3),
          input("register.first", "first_name", "First name", "Your first name"),
          input("register.email", "email", "E-mail", "you@company.example", "email"),
          input("register.company", "company", "Company", "Where you work"),
          submit("register.submit", "Register for free"),
          text("register.note", "We send the link, one reminder and the recording.", "small"),
        ),
      ),
    ),
    section(
      "facts",
      { align: "center" },
      columns(
        {},
        stat("facts.when", "{{date}}", "starts at {{time}}"),
        stat("facts.length", "60 minutes", "30 of them for questions"),
        stat("facts.price", "Free", "with the recording"),
      ),
    ),
    section(
      "agenda",
      { look: "tint", align: "center" },
      heading("agenda.title", "What happens in the hour"),
      columns(
        {},
        card(
          {},
          image("agenda.1.image", icon("leaf", palette), "", "icon"),
          heading("agenda.1.title", "From goal to promise", 3),
          text("agenda.1.text", "How to say in one sentence what changes for the reader, and leave out the rest."),
        ),
        card(
          {},
          image("agenda.2.image", icon("bolt", palette), "", "icon"),
          heading("agenda.2.title", "The brief, live", 3),
          text("agenda.2.text", "We fill in a brief for a product that somebody in the session sells."),
        ),
        card(
          {},
          image("agenda.3.image", icon("heart", palette), "", "icon"),
          heading("agenda.3.title", "Your questions", 3),
          text("agenda.3.text", "Ask beforehand or in the chat. What we do not get to is answered by mail."),
        ),
      ),
    ),
    section(
      "host",
      {},
      columns(
        {},
        image("host.image", portrait(palette), "Portrait of the host", "portrait"),
        column(
          text("host.eyebrow", "Your host", "eyebrow"),
          heading("host.title", "{{host_name}}"),
          text(
            "host.text",
            "Head of campaigns at {{brand}}. Fifteen years of briefs, good ones and the other kind, for shops, museums and software.\n\nTeaches the way people work: with a real example, a timer, and no slides after minute ten.",
          ),
          button("host.cta", "Save my seat", "#register"),
        ),
      ),
    ),
    section(
      "footer",
      { look: "footer" },
      text("footer.text", "© {{brand}}. You can leave the list with one click.", "small"),
    ),
  ],
};
