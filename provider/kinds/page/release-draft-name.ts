/** The output of a page in a release that tells of its draft. */
export const DRAFT = "__draft";

/** The input by which a release hears it, in the order of its pages. */
export const DRAFTS = "drafts";

/** Every state of a page has it, and no preview of an update knows it. */
export const TOLD_BY_STATE = "hasUnpublishedChanges";
