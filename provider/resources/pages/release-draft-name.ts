/** The output of a page in a release that tells of its draft. */
export const DRAFT = "__draft";
