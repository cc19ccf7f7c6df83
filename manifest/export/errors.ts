/** An export, or a comparison, that can't be done as things are. The message says what to do. */
export class ExportError extends Error {
  override readonly name = "ExportError";
}
