/** A plan of many pages, with everything that a report may hold, and with names that attack a reader's browser. */
import { blankReport } from "../../stack/exit/report.ts";
import type { Change, Report } from "../../stack/report/model.ts";
import { reportWith } from "../reports/samples.ts";

export const ATTACK = `<img src=x onerror="alert(1)"></p></details><script>alert(2)</script>'"\`=&lt;`;

const WORDS = "A mug worth getting up for, every morning of the year, wherever you are and whatever the weather".split(
  " ",
);

export function sampleReport(pages: number): Report {
  const changes = Array.from({ length: pages }, (_, index) => pageChange(index));
  const [first] = changes;
  return reportWith({
    stack: ATTACK,
    counts: { ...blankReport("").counts, update: pages, delete: 1, same: 3 },
    changes: [...changes, { urn: "gone", type: "Product", name: ATTACK, op: "delete", fields: [] }],
    impact: {
      urls: changes.slice(0, 30).map(({ url = "", name, op }) => ({ url, page: name, effect: op })),
      funnels: [
        {
          urn: "funnel",
          name: `Spring ${ATTACK}`,
          pages: [{ name: first?.name ?? "", op: "update" }],
          steps: [
            { pageType: "presell", to: first?.name, urn: first?.urn, op: "update" },
            { pageType: "sales" },
            { pageType: ATTACK, to: "javascript:alert(3)" },
          ],
        },
      ],
      scopes: ["pages:write"],
      alsoLive: [
        {
          ...{ urn: "u", type: "Page", name: "offer", policy: "hold", digest: "" },
          edits: [{ kind: "field", at: ["content", "hero.note"], now: ATTACK }],
        },
      ],
    },
    findings: [{ check: "run", weight: "warn", text: ATTACK }],
  });
}

function pageChange(index: number): Change {
  const words = WORDS.map((word, place) => (place === index % WORDS.length ? `${word}-${index}` : word));
  const site = index % 2 === 0 ? "a.example" : "b.example";
  const further: Change["fields"] = [
    { path: ["content", "hero.image"], kind: "update", old: PIXEL, new: "https://images.example/new.png" },
    { path: ["tags"], kind: "add", new: ["spring", "日本語のテキスト"] },
  ];
  return {
    urn: `urn:page-${index}`,
    type: index % 5 === 4 ? "Quiz" : "Page",
    name: `page-${index}`,
    op: "update",
    id: `page_${index}`,
    url: `https://${site}/page-${index}`,
    editUrl: `https://app.example/edit/${index}`,
    fields: [
      { path: ["content", "hero.title"], kind: "update", old: WORDS.join(" "), new: words.join(" ") },
      { path: ["content", "hero.text"], kind: "update", old: `Hello {{brand}}`, new: `Hello {{brand}}\n${ATTACK}` },
      { path: ["variables", "brand"], kind: "update", old: "Acme", new: ATTACK },
      ...(index === 0 ? further : []),
    ],
    rendered: [{ path: ["content", "hero.text"], old: "Hello Acme", new: `Hello ${ATTACK}` }],
  };
}

const PIXEL = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";
