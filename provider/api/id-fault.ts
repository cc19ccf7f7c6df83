/** What is wrong with an id. One that no call can name is none: it is neither sent nor taken from an answer. */
export function faultOfId(id: string): string | undefined {
  if (id === "") return "is empty";
  if (id === "." || id === "..") return `is ${JSON.stringify(id)}, which names another path`;
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\u0000-\u001f\u007f-\u009f]/.test(id)) return "holds a control character";
  return id.isWellFormed() ? undefined : "is no well-formed text";
}
