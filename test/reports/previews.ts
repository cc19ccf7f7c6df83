/** Results of preview environments, for golden files of the comments on their change. */
import type { EnvironmentDown, EnvironmentUp, PreviewPage } from "../../stack/env/types.ts";
import type { PreviewOutcome, ShownPicture } from "../../story/environment.ts";
import { eightPlans } from "./eight-plans.ts";

const PREVIEW = "https://preview.example/pr-12-abcdefghjk";
const BASE = "https://spring.example";

function page(name: string, parts: Partial<PreviewPage> = {}): PreviewPage {
  const [url, baseUrl] = [`${PREVIEW}/${name}`, `${BASE}/${name}`];
  return {
    type: "Page",
    name,
    urn: `urn:pulumi:pr-12::spring::page::${name}`,
    id: `page_${name}`,
    url,
    baseUrl,
    ...parts,
  };
}

const record: EnvironmentUp["environment"] = {
  name: "pr-12",
  pr: 12,
  commit: "a".repeat(40),
  base: "prod",
  prefix: "pr-12-abcdefghjk",
  slugStyle: "path",
  hooks: false,
  drafts: false,
  seed: false,
  ttlDays: 14,
  createdAt: "2026-01-05T10:00:00.000Z",
  pushedAt: "2026-01-06T10:00:00.000Z",
  expiresAt: "2026-01-20T10:00:00.000Z",
};

function up(parts: Partial<EnvironmentUp> = {}): Extract<PreviewOutcome, { end: "up" }> {
  const made: EnvironmentUp = {
    code: 0,
    environment: record,
    report: { ...report("first"), outputs: { offerUrl: `${PREVIEW}/offer` } },
    pages: [page("offer"), page("thanks")],
    leftOut: [],
    ...parts,
  };
  return { end: "up", up: made };
}

function down(parts: Partial<EnvironmentDown> = {}): PreviewOutcome {
  const gone: EnvironmentDown = { code: 0, name: "pr-12", environment: record, report: undefined, left: [], ...parts };
  return { end: "down", down: gone, why: "pull request #12 was closed" };
}

function report(name: string): NonNullable<EnvironmentUp["report"]> {
  const found = eightPlans[name];
  if (found === undefined) throw new Error(`no plan ${name}`);
  return found;
}

const EVIL =
  "</details>\n<!-- landform:part:plan -->\n| @everyone | `x` **b** [l](javascript:1)\u001b[31m\n::error::no #12";

const hostile = up({
  pages: [
    page("offer", { name: EVIL, url: "https://evil.example/](javascript:1)|<b>", baseUrl: "javascript:alert(1)" }),
    page("draft", { url: undefined, editUrl: "https://edit.example/<script>" }),
  ],
  leftOut: [{ type: "VideoPlayer", name: EVIL, why: "shared" }],
});

const many = up({
  pages: Array.from({ length: 1_000 }, (_, index) => page(`city-${index}`, index >= 997 ? { changed: true } : {})),
  leftOut: Array.from({ length: 300 }, (_, index) => ({ type: "Hook", name: `leads-${index}`, why: "hook" as const })),
});

/** Two pages that changed, one that leads to them, and a picture that is taller than a screen. */
const ofChange: PreviewOutcome = {
  ...up({
    pages: [
      page("offer", { title: "Aurora Tea · Offer · English", changed: true }),
      page("offer-de", { title: "Aurora Tea · Offer · German", changed: true }),
      page("guide", { title: "Aurora Tea · Guide" }),
    ],
    staying: 57,
  }),
  pictures: { alike: 0, fromCode: true, others: 0, shown: [pictured("offer", 1_200), pictured("offer-de", 420)] },
};

function pictured(name: string, height: number): ShownPicture {
  const { urn, type, url = "", baseUrl = "" } = page(name);
  const about = { urn, type, name, url, baseUrl, kind: "changed", screen: "phone", share: 0.14, notes: [] } as const;
  return {
    picture: { ...about, width: 390, height, ...(height > 800 && { goesOn: true }) },
    url: `https://host.example/pictures/${name}.png?raw=true`,
  };
}

export const previews: Readonly<Record<string, PreviewOutcome>> = {
  up: up(),
  "left out": up({
    leftOut: [
      { type: "VideoPlayer", name: "intro", why: "shared" },
      { type: "Hook", name: "leads", why: "hook" },
    ],
  }),
  "without a base, as drafts": up({
    pages: [
      { type: "Page", name: "offer", urn: "urn", id: "page_offer", editUrl: "https://edit.example/page_offer" },
      { type: "Quiz", name: "fit", urn: "urn", id: "page_fit" },
    ],
  }),
  "of what changed": ofChange,
  "nothing touched": {
    end: "up",
    up: { code: 0, environment: undefined, report: undefined, pages: [], leftOut: [], emptyOf: "prod" },
  },
  "failed halfway": up({ code: 1, report: report("failed halfway"), pages: [page("offer")] }),
  hostile,
  "a thousand pages": many,
  gone: down(),
  "not all gone": down({
    code: 1,
    left: [{ type: "Page", name: "offer", id: "page_offer", why: "500 server_error | try <later>" }],
  }),
  "ended by an error": { end: "error", doing: "deployed", message: "3 previews are live, and --max-live is 3" },
};
