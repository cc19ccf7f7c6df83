/** Pages and quizzes in a preview: at paths of their own, and never at the root of a site. */
import { placedAt, placedSlug, type InPreview } from "../../preview/rules.ts";

export const pageInPreview: InPreview = {
  becomes: "made",
  copies: { by: "duplicateOf", without: ["templateId", "siteId"] },
  places: { publish: { slug: placedSlug, siteId: placedAt("site") }, siteId: placedAt("site") },
  publishes: ["publish"],
};
