/** Landform: landing funnels as code. The public surface: what `import "landform"` gives. */
export * from "./provider/index.ts";
export { content, data, DataError, type ContentLayer } from "./manifest/data/on-demand.ts";
