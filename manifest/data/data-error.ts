/** What is wrong with a data file, with the line. */
export class DataError extends Error {
  override readonly name = "DataError";
}
