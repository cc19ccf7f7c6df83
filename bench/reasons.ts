/**
 * The reason for each call, by step and operation. The test of the counts fails for a call without a reason here: Landform makes no call that proves
 * nothing.
 */

export const STEPS = [
  "up from empty",
  "refresh",
  "up without changes",
  "preview without changes",
  "preview of one content key",
  "up of one content key",
  "destroy",
] as const;
export type StepTitle = (typeof STEPS)[number];

const KEY =
  "The account behind the key: whether the key works, and whether the account is the state's. A run takes the answer of its own plan";
const CONTRACT = "The paths that the specification doesn't show, once a process";
const MARKERS = "What an interrupted run of this stack left, by its marker: one look a kind and process";
const SCOPE = "Plan: whether the key may read this kind";
const MAY_WRITE =
  "Whether the key may write this kind, asked about what can't exist, before what can't be deleted is made";

const LONELY = "One that was asked for a moment before the others, which one list serves";

const REFRESH: Readonly<Record<string, string>> = {
  "GET /pages/{pageId}": LONELY,
  "GET /funnels/{funnelId}": LONELY,
  "GET /me": KEY,
  "GET /projects/{projectId}": "The only one, by its id",
  "GET /sites/{siteId}": "The only one, by its id",
  "GET /pages": "100 pages a call; a content map is read where updated_at moved",
  "GET /products": "100 products a call",
  "GET /funnels": "The funnels of a project; what differs from the state is read again by its id",
};

const PREVIEW_OF_ONE: Readonly<Record<string, string>> = {
  "GET /me": KEY,
  "GET /pages/{pageId}": "Plan: whether the page is still there, and whether the key may read pages",
  "GET /pages/builder": "Plan: edits of others in the draft that would go live with the change",
};

export const REASONS: Readonly<Record<StepTitle, Readonly<Record<string, string>>>> = {
  "up from empty": {
    "GET /me": KEY,
    "GET /openapi.json": CONTRACT,
    "GET /search/projects": MARKERS,
    "GET /search/pages": MARKERS,
    "GET /search/products": MARKERS,
    "GET /search/funnels": `${MARKERS}; and funnels that were retired, one look a project`,
    "GET /search/sites": "Plan and creation: a site of that name, which is taken over; two of that name are refused",
    "GET /sites": `${SCOPE}; a site that a search stopped before; the address that the site's pages will have`,
    "GET /funnels": SCOPE,
    "GET /products": SCOPE,
    "GET /projects": SCOPE,
    "GET /templates": "Plan: whether the template is there, once a template, with what is near where it isn't",
    "DELETE /projects/{projectId}": MAY_WRITE,
    "DELETE /pages/{pageId}": MAY_WRITE,
    "POST /projects": "Creation, under the marker",
    "PATCH /projects/{projectId}": "The rename that takes the marker away",
    "POST /sites": "Creation; its name is its proof",
    "POST /products": "Creation, under the marker",
    "PATCH /products": `The rename that takes the marker away. ${MAY_WRITE}`,
    "POST /funnels": "Creation, under the marker",
    "PATCH /funnels": `The rename that takes the marker away. ${MAY_WRITE}`,
    "POST /pages/from-template": "Creation, under the marker",
    "PATCH /pages/content": "All texts of a page in one call",
    "POST /pages/replace-variables": "Placeholders that no declared text holds; only with variables",
    "GET /search/page-content-map":
      "As the service shows what was sent (normalised values are no drift), whether it copied the marker into a text, and the fields that are known as ours from then on: one read for all three. With variables one more before, for the texts of the template, which the page forgets",
    "PATCH /pages/metadata": "The rename that takes the marker away",
    "POST /pages/validate-before-publish":
      "Whether the page is ready; the specification doesn't say that publishing asks",
    "POST /pages/publish": "Publication",
    "GET /pages/builder":
      "What went public outside of the content fields: edits of others in a later draft are told from it. No answer to a write shows it, and not every service moves updated_at for it",
    "GET /pages": `${SCOPE}; updated_at after the publication, which no answer tells, for all pages that end together: without it the first refresh would read every map; who else is at the address of a page that ended alone`,
    "GET /pages/{pageId}": "The same of a page that ends alone, or that the list doesn't show yet",
  },
  refresh: REFRESH,
  "up without changes": {},
  "preview without changes": {},
  "preview of one content key": PREVIEW_OF_ONE,
  "up of one content key": {
    ...PREVIEW_OF_ONE,
    "GET /pages/{pageId}":
      "Plan: whether the page is still there, and whether the key may read pages. Before the publication: whether somebody moved it, and it stays there. After it: updated_at, for the next refresh",
    "GET /pages/builder":
      "Edits of others: in the plan; right before the first write, since somebody may have said yes hours ago; and after the publication, for what slipped in between and for the next look",
    "PATCH /pages/content": "The change",
    "POST /pages/validate-before-publish": "Whether the page is ready",
    "POST /pages/publish": "Publication",
  },
  destroy: {
    "GET /me": KEY,
    "GET /openapi.json": CONTRACT,
    "GET /pages/{pageId}": LONELY,
    "GET /pages": "What a page holds, for undo, 100 a call. What is left in the project",
    "GET /funnels": "What a funnel holds, for undo. What is left in the project",
    "GET /products": "What a product holds, for undo. What is left in the project",
    "GET /sites": "What is left in the project",
    "GET /search/page-content-map": "The texts of the page, for undo",
    "DELETE /pages/{pageId}": "Deletion",
    "DELETE /products/{productId}": "Deletion",
    "GET /funnels/{funnelId}": "Whether it is still there, and what it is called",
    "PATCH /funnels": "The API deletes no funnel: it is retired",
    "GET /projects/{projectId}": "What the project holds, for undo",
    "DELETE /projects/{projectId}": "Deletion, refused as long as the site refers to it",
  },
};
