/**
 * Releases: pages that are published together, or not at all. The service knows nothing of them. Its pages are written and
 * checked as drafts by their own resources; this one, which depends on them, publishes.
 */
import { z } from "zod";
import { defineResource } from "../definition/define.ts";
import { type Json, mapOf } from "../values/json.ts";
import { digest } from "../ledger/identity.ts";
import { hasUnknown } from "../values/paths.ts";
import { MADE } from "../definition/in-preview.ts";
import { brokenRule } from "../values/problems.ts";
import { idOf } from "../definition/schema-walk.ts";
import { draftIn, isDue } from "./page/document/released.ts";
import { publishRelease, readRelease } from "./release/publish.ts";

const inputs = z.strictObject({
  pages: z
    .array(
      z.strictObject({
        pageId: idOf("page", "quiz").describe("A page or quiz of the same program, with a publication."),
      }),
    )
    .min(1)
    .describe("Pages that are published together, each after those that it links to."),
  drafts: z
    .array(z.string())
    .optional()
    .describe("The states of the pages' drafts, in their order. The release fills them in itself."),
});

export const release = defineResource({
  kind: "release",
  section: "releases",
  doc: "Pages that are published together or not at all. Landform writes and checks all drafts first, and then publishes each page after the pages that it links to.",
  named: false,
  inputs,
  outputs: z.object({
    urls: z.record(z.string(), z.string()).describe("Public URLs of its pages, by the id of the page."),
  }),
  shown: { ofOthers: { pages: { url: ["urls"] } } },
  rules: { drafts: { stays: true } },
  gathers: {
    members: "pages",
    drafts: "drafts",
    filledIn: (ids, drafts) => ({ pages: ids.map((pageId) => ({ pageId })), drafts }),
    memberIds: ({ pages }) => idsIn(pages).filter((id) => typeof id === "string"),
    isDue: (notes, id, text) => {
      const draft = draftIn(text);
      return draft !== undefined && isDue(notes, id, draft);
    },
  },
  calls: {
    create: ["getPage", "validatePage", "publishPage"],
    adopt: [],
    update: ["getPage", "validatePage", "publishPage"],
    delete: [],
  },
  inPreview: MADE,
  limits: [
    {
      api: "The API publishes one page at a time.",
      landform: "If Landform can't publish one of the pages, it publishes the old texts of the earlier ones again.",
    },
    {
      api: "The API can't unpublish a page.",
      landform:
        "If a release fails, a page that it published for the first time stays public, and the message names it.",
    },
  ],
  exporting: { hidden: { text: "Releases: the account knows nothing of them, so none are here." } },
  plan: {
    check: ({ pages }) => {
      const ids = idsIn(pages);
      return ids.flatMap((id, index) =>
        typeof id === "string" && !hasUnknown(id) && ids.indexOf(id) < index
          ? [brokenRule(["pages", index, "pageId"], "once", "this page is in the release already: name it once")]
          : [],
      );
    },
    // One kind of claim a page, since a holder has one thing of a kind.
    claims: ({ pages }) =>
      idsIn(pages).flatMap((id, index) => {
        if (typeof id !== "string" || hasUnknown(id)) return [];
        return [{ kind: `released ${id}`, thing: id, path: ["pages", index, "pageId"], what: "this page" }];
      }),
  },
  create: (_run, declared) => {
    const ids = declared.pages.map(({ pageId }) => pageId).join("\n");
    return Promise.resolve({ id: `release-${digest(ids, 12)}`, answer: { urls: {} }, sent: [] });
  },
  read: readRelease,
  apply: publishRelease,
  delete: () => Promise.resolve(),
});

/** Returns one entry a page, in the order of the pages. */
function idsIn(pages: Json | undefined): (Json | undefined)[] {
  return (Array.isArray(pages) ? pages : []).map((page) => mapOf(page)["pageId"]);
}
