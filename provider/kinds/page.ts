/** Landing pages: blank, from a template, or a copy of another page. */
import { z } from "zod";
import { type Created, defineResource } from "../definition/define.ts";
import { brokenRule } from "../values/problems.ts";
import type { RunContext } from "../reconcile/run-context.ts";
import { camelKeys } from "../values/json.ts";
import { foreseePage } from "./page/foresee.ts";
import { attachedLater, checkPage, inputsOf, pageOutputs } from "./page/document/inputs.ts";
import { contentOf, readPage } from "./page/shown.ts";
import { copyOf, pageKind } from "./page/page-kind.ts";

const inputs = inputsOf("page");
type Inputs = z.output<typeof inputs>;

export const page = defineResource({
  ...pageKind,
  kind: "page",
  section: "pages",
  doc: "A landing page: made blank, from a template or as a copy, edited by content keys, and published on a site.",
  inputs,
  outputs: z.object(pageOutputs),
  limits: [
    {
      api: "The API can't unpublish a page or move it to another site.",
      landform:
        "Landform then replaces the page, and the plan says so. If the slug changes, Landform publishes the page again.",
    },
    {
      api: "The API can't put `{{variables}}` back.",
      landform: "Landform keeps the text with the placeholder, and renders it again when a value changes.",
    },
    {
      api: "The API accepts content keys that do not exist.",
      landform: "The run fails, and names the wrong key and the nearest right one.",
    },
    {
      api: "The specification does not say if the API publishes a page that is not ready.",
      landform: "Landform leaves such a page a draft, and prints the issues.",
    },
    {
      api: "The API attaches a blank page or a copy to a site only when it is published.",
      landform: "Landform refuses `siteId` for such pages, and says what to do.",
    },
    {
      api: "The API can't delete a page that is published and has no site.",
      landform: "The preview fails, and says what to do in the app.",
    },
  ],
  shown: {
    ...pageKind.shown,
    isOne: ({ is_quiz }) => !is_quiz,
    pointing: { shown: () => ({}), texts: contentOf },
  },
  plan: {
    ...pageKind.plan,
    foresee: (api, planned) => foreseePage(api, planned),
    check: (declared, known) => {
      const failures = checkPage(declared, known);
      const { siteId, templateId, adoptId } = declared;
      const isBlank = templateId === undefined && adoptId === undefined;
      return failures.length > 0 || !isBlank || siteId === undefined || !known(siteId)
        ? failures
        : [brokenRule(["siteId"], "attached-by-publishing", attachedLater("a blank page"))];
    },
  },
  create: createPage,
  read: readPage,
});

async function createPage(run: RunContext, declared: Inputs, name: string): Promise<Created> {
  const { api } = run;
  const { templateId, duplicateOf, projectId, siteId } = declared;
  if (duplicateOf !== undefined) return copyOf(run, duplicateOf, declared, name);
  if (templateId === undefined) {
    const blank = await api.pages.create({ name, project_id: projectId });
    return { id: blank.id, answer: camelKeys(blank), sent: ["projectId"] };
  }
  const asked = { template_id: templateId, name, site_id: siteId, project_id: projectId };
  const { template_id, from_template, ...fields } = await api.pages.createFromTemplate(asked);
  return { id: fields.id, answer: camelKeys(fields), sent: ["templateId", "siteId", "projectId"] };
}
