/** The file of a project that is no program. */
export const MANIFEST = "landform.yaml";
