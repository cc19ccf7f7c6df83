/** Commands as they are typed, and words as a POSIX shell reads them back. Pure. */
import type { Advice } from "../report/model.ts";

export function commandLine({ command, arguments: given }: Advice): string {
  return ["npx landform", command, ...given.map(shellWord)].join(" ");
}

/** Words as a POSIX shell reads them back. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Quoted only where it has to be: a tilde in front would be a home. */
export function shellWord(text: string): string {
  return /^[\w./@%+,-][\w./@%+,~-]*$/.test(text) ? text : shellQuoted(text);
}
