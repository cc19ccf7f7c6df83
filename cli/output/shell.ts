/** Words as a POSIX shell reads them back. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Quoted only where it has to be. */
export function shellWord(text: string): string {
  return /^[\w./@%+,~-]+$/.test(text) ? text : shellQuoted(text);
}
