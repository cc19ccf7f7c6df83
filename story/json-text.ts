/** JSON as text. Pure, and without imports, since each start reads it. */

/** Escaped where a terminal or a CI's runner would obey what is written: JSON itself leaves some controls as they are. */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value, undefined, 2);
  return text
    .replace(OBEYED, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .replace(/##(?=\[|vso\[|teamcity\[)/gi, "#\\u0023");
}

const OBEYED = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
