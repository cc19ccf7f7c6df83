export function landform(command: string, ...given: readonly string[]): string {
  return ["npx landform", command, ...given.map(shellWord)].join(" ");
}

export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Quotes a word only where a shell needs it. A tilde in front would mean a home. */
export function shellWord(text: string): string {
  return /^[\w./@%+,-][\w./@%+,~-]*$/.test(text) ? text : shellQuoted(text);
}
