/** What of a data file can't be sent as it stands there: a number in another spelling, and a key that nothing is written behind. */
import type { Diagnostics } from "../diagnostics/diagnostics.ts";
import { below } from "../language/addresses.ts";
import type { Place } from "../source/file.ts";
import { respelled, type Respelled } from "../source/spelling.ts";
import type { DataScalar, DataValue } from "./value.ts";

export const NO_VALUE_HINT = 'Write "" for an empty text, or leave the key out to keep what is there.';

export function respelledScalar({ value, place }: DataScalar): Respelled | undefined {
  return respelled(value, writtenAt(place));
}

/** False where something in it can't, which is told. `keyPlace`: of the key that it is the value of. */
export function isSendable(data: DataValue, keyPlace: Place, path: string, diagnostics: Diagnostics): boolean {
  if (data.kind === "scalar") return isScalarSendable(data, keyPlace, path, diagnostics);
  const inner =
    data.kind === "list"
      ? data.items.map((value, index) => isSendable(value, value.place, `${path}[${index}]`, diagnostics))
      : [...data.entries].map(([key, one]) => isSendable(one.value, one.keyPlace, below(path, key), diagnostics));
  return inner.every(Boolean);
}

function isScalarSendable(data: DataScalar, keyPlace: Place, path: string, diagnostics: Diagnostics): boolean {
  const { value, place } = data;
  if (value === null && writtenAt(place) === "") {
    tellValueless(keyPlace, path, diagnostics);
    return false;
  }
  const other = respelledScalar(data);
  if (other) diagnostics.error("invalid-value", place, `${path}: ${other.problem}`, { path, hint: other.hint });
  return other === undefined;
}

export function tellValueless(place: Place, path: string, diagnostics: Diagnostics): void {
  diagnostics.error("empty-value", place, `${path} has no value`, { path, hint: NO_VALUE_HINT });
}

function writtenAt({ file, start, end }: Place): string {
  return file.text.slice(start, end);
}
