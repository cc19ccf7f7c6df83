/**
 * Characters that YAML doesn't hold as they are (1.2.2, 5.1), and that the library writes so all the same (2.9, 2026-11-24): in
 * double quotes they are escaped. Pure.
 */
const UNHELD = /[\u007f-\u0084\u0086-\u009f\ufffe\uffff]/g;

export function needsEscapes(text: string): boolean {
  return text.search(UNHELD) !== -1;
}

/** YAML as the library wrote it. What has such a character must stand in double quotes. */
export function withEscapes(yaml: string): string {
  return yaml.replace(UNHELD, (character) => {
    const code = character.charCodeAt(0).toString(16);
    return code.length > 2 ? `\\u${code}` : `\\x${code}`;
  });
}
