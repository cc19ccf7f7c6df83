/** Reports of eight kinds of runs, for golden files of every form. */
import type { Change, Counts, Report } from "../../stack/report/model.ts";
import { reportWith } from "./samples.ts";

type Parts = Partial<Omit<Report, "counts">> & { counts?: Partial<Counts> };

/** The golden files have the counts where these parts have them. */
function report(parts: Parts): Report {
  const { counts, ...plan } = reportWith({});
  const { mayFollow, ...others } = counts;
  return { ...plan, ...parts, counts: { ...others, mayFollow, ...parts.counts } };
}

function page(name: string, parts: Partial<Change>): Change {
  return { urn: `urn:pulumi:prod::spring::page::${name}`, type: "Page", name, op: "update", fields: [], ...parts };
}

const offer = page("offer", {
  title: "Aurora Tea · Offer · English",
  id: "page_1",
  url: "https://spring.example/offer",
  fields: [
    { path: ["content", "hero.title"], kind: "update", old: "A mug worth getting up for", new: "A mug to keep" },
  ],
});

const touched: Report["impact"] = {
  urls: [{ url: "https://spring.example/offer", page: "offer", effect: "update" }],
  funnels: [
    {
      name: 'spring "end"',
      pages: [{ name: "offer", op: "update" }],
      steps: [
        { pageType: "presell", to: "offer", op: "update" },
        { pageType: "checkout", to: "https://pay.example/<b>" },
        { pageType: "thankyou" },
      ],
    },
  ],
  scopes: ["pages:read", "pages:write"],
};

const goes = page("terms", { op: "delete", id: "page_9", url: "https://spring.example/terms" });

const made = ["offer", "thanks"].map((name) =>
  page(name, {
    op: "create",
    fields: [
      { path: ["name"], kind: "add", new: name },
      { path: ["content", "hero.title"], kind: "add", new: `Hello ${name} | <b>@everyone</b>\n::error::no` },
    ],
  }),
);

function many(): Report {
  const changes = Array.from({ length: 10_000 }, (_, index) =>
    page(`p${index}`, {
      op: index % 100 === 0 ? "delete" : "update",
      url: `https://spring.example/${index % 7}/city-${index}`,
      fields: [{ path: ["content", "hero.title"], kind: "update", old: `Old ${index}`, new: `New ${index}` }],
    }),
  );
  const urls = changes.map(({ url = "", name, op }) => ({ url, page: name, effect: op }));
  const impact = { urls, funnels: [], scopes: ["pages:write"] };
  return report({ changes, counts: { update: 9_900, delete: 100 }, impact });
}

export const eightPlans: Readonly<Record<string, Report>> = {
  empty: report({ counts: { same: 5 }, urls: ["https://spring.example/offer"] }),
  first: report({ changes: made, counts: { create: 2 }, outputs: { offerUrl: "https://spring.example/offer" } }),
  "one key": report({ changes: [offer], counts: { update: 1, same: 4 }, impact: touched }),
  "ten thousand changes": many(),
  destructive: report({
    changes: [
      offer,
      goes,
      page("landing", {
        op: "replace",
        fields: [{ path: ["templateId"], kind: "update", old: "tpl-a", new: "tpl-b", replaces: true }],
      }),
    ],
    counts: { update: 1, delete: 1, replace: 1 },
    impact: {
      ...touched,
      urls: [...touched.urls, { url: "https://spring.example/terms", page: "terms", effect: "delete" }],
    },
  }),
  refused: report({
    result: "failed",
    changes: [goes],
    counts: { delete: 4, same: 6 },
    failures: [
      {
        cause: "refused",
        message: "this plan deletes 4 of 10 resources (40 %), and the limit is 30 %. Nothing was sent.",
      },
    ],
  }),
  "failed halfway": report({
    command: "up",
    result: "failed",
    changes: [
      { ...offer, status: "done" },
      page("thanks", { status: "failed", fields: [] }),
      page("terms", { op: "create", status: "unreached" }),
    ],
    counts: { update: 1, failed: 1, unreached: 1, same: 3 },
    failures: [
      {
        cause: "operation",
        urn: "urn:pulumi:prod::spring::page::thanks",
        source: "landform.yaml:18:5",
        message: "publish: page page_2 is not ready, so it stays a draft. Placeholders without a value: {{brand}}.",
      },
    ],
    urls: ["https://spring.example/offer"],
    published: ["https://spring.example/offer"],
  }),
  drift: report({
    command: "drift",
    advice: [{ command: "up", arguments: ["--refresh"], reason: "writes the code's values back." }],
    counts: { same: 4, update: 1 },
    drift: [
      {
        urn: offer.urn,
        type: "Page",
        name: "offer",
        id: "page_1",
        kind: "changed",
        fields: [
          { path: ["content", "hero.title"], lastRun: "A mug to keep", live: "SALE | now", code: "A mug to keep" },
        ],
      },
      { urn: goes.urn, type: "Page", name: "terms", id: "page_9", kind: "gone", fields: [] },
    ],
  }),
};
