import { landscape, parcel } from "./art.ts";
import {
  button,
  card,
  column,
  columns,
  delayMarker,
  faq,
  heading,
  image,
  list,
  price,
  record,
  section,
  type Template,
  testimonial,
  text,
  video,
} from "./build.ts";

const palette = { accent: "#047857", soft: "#dff3ea", dark: "#0b3b2e" };

export const sales: Template = {
  record: record("tpl-sales", {
    name: "Sales page with video",
    category: "sales",
    description: "A film first, then the offer: benefits, three prices, reviews, a guarantee and questions.",
    image: parcel(palette),
  }),
  theme: { accent: "#047857", onAccent: "#ffffff", ink: "#12241e", tint: "#f1f8f5", dark: "#0b3b2e", headings: "sans" },
  sections: [
    section(
      "top",
      { look: "bar" },
      text("top.brand", "{{brand}}", "brand"),
      text("top.note", "Free delivery this week", "badge"),
    ),
    section(
      "hero",
      { look: "tint", align: "center" },
      text("hero.eyebrow", "{{product}}", "eyebrow"),
      heading("hero.title", "Dinner for five days, planned in ten minutes", 1),
      text("hero.text", "Watch how the box works in an ordinary kitchen, on an ordinary Tuesday.", "lead"),
      video("hero.video", "One Tuesday with the box (2 minutes)", landscape(palette)),
    ),
    section(
      "offer",
      {},
      delayMarker(),
      columns(
        {},
        image("offer.image", parcel(palette), "The starter box with its spice jar"),
        column(
          heading("offer.title", "What is in the box"),
          list(
            "offer.list",
            "check",
            "Twelve glass jars that stack, with lids that stay with them",
            "A planner for 52 weeks, for the fridge door",
            "Sixty dinners of twenty minutes, written for people who are tired",
            "A shopping list that fits the planner, for your phone or on paper",
          ),
          button("offer.cta", "Choose your box", "#prices"),
        ),
      ),
    ),
    section(
      "prices",
      { look: "tint", align: "center" },
      heading("prices.title", "One price, paid once"),
      text("prices.text", "No subscription. Refills only when you ask for them.", "lead"),
      columns(
        {},
        card(
          {},
          heading("prices.one.title", "Starter", 3),
          price("prices.one.price", "€49", "", "one box"),
          list("prices.one.list", "check", "12 jars and the planner", "60 dinners", "Delivery in 3 days"),
          button("prices.one.cta", "Order the starter box", "", "ghost"),
        ),
        card(
          { look: "highlight" },
          text("prices.two.badge", "Chosen most often", "badge"),
          heading("prices.two.title", "Family", 3),
          price("prices.two.price", "€79", "€98", "two boxes"),
          list(
            "prices.two.list",
            "check",
            "24 jars and the planner",
            "120 dinners",
            "Free delivery",
            "Labels in two languages",
          ),
          button("prices.two.cta", "Order the family box"),
        ),
        card(
          {},
          heading("prices.three.title", "Gift", 3),
          price("prices.three.price", "€59", "", "wrapped"),
          list("prices.three.list", "check", "12 jars and the planner", "60 dinners", "A card in your words"),
          button("prices.three.cta", "Order a gift", "", "ghost"),
        ),
      ),
    ),
    section(
      "reviews",
      {},
      heading("reviews.title", "What customers write"),
      columns(
        {},
        testimonial(
          "reviews.1",
          "The first thing in years that made weekday cooking calmer.",
          "Verified customer",
          "Family box",
        ),
        testimonial(
          "reviews.2",
          "I bought it for the jars. I stayed for the planner.",
          "Verified customer",
          "Starter box",
        ),
        testimonial("reviews.3", "My father, 74, now sends me photographs of dinner.", "Verified customer", "Gift box"),
      ),
    ),
    section(
      "guarantee",
      { look: "dark", align: "center" },
      heading("guarantee.title", "Sixty days to change your mind"),
      text(
        "guarantee.text",
        "Cook with it. If it does not help, send back what is left and {{brand}} returns the whole price. We pay for the parcel.",
        "lead",
      ),
      button("guarantee.cta", "Order the family box"),
    ),
    section(
      "faq",
      { width: "narrow" },
      heading("faq.title", "Before you order"),
      faq("faq.1", "When does it arrive?", "Within three working days. You get a link to follow the parcel."),
      faq(
        "faq.2",
        "Are the jars safe in a dishwasher?",
        "Jars and lids are. The labels come off with warm water when you want new ones.",
      ),
      faq("faq.3", "Can I pay later?", "Yes, by invoice within 30 days, at no extra cost."),
    ),
    section(
      "footer",
      { look: "footer" },
      text("footer.text", "© {{brand}}. Prices include tax.", "small"),
      text("footer.help", "Questions? {{support_email}}", "small"),
    ),
  ],
};
