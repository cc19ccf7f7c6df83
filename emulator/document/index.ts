/**
 * Page documents: templates, the builder tree, content, variables, readiness and HTML. Pure functions on plain JSON; the emulator stores and serves
 * them.
 */
export { applyContent, contentFields } from "./content.ts";
export { encodeFields } from "./encode.ts";
export { type RenderInput, renderPage } from "./render/index.ts";
export { FORM_ID_FIELD, readSubmission, type Submission } from "./submission.ts";
export { documentFromTemplate, templates } from "./templates/index.ts";
export { allNodes, blankDocument, copyDocument, findNode, patchNode, replaceNode } from "./tree.ts";
export { type ContentShape, contentShapes, type PageDocument, type PageNode, type TemplateRecord } from "./types.ts";
export { validateDocument } from "./validate.ts";
export { replaceVariables, variables } from "./variables.ts";
