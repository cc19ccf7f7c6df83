/** Which line of a data file a changed value comes from: whoever reads the plan has written there, not in landform.yaml. */
import { type Manifest, type Spots } from "../../manifest/index.ts";
import { propertyPath } from "../../provider/values/paths.ts";
import type { Change, Field } from "./model.ts";

export function withPlacesInData(changes: readonly Change[], manifest: Manifest): Change[] {
  const places = new Map(
    manifest.entries.map(({ definition, key, places: own }) => [`${definition.type} ${key}`, own]),
  );
  return changes.map((change) => {
    const own = places.get(`${change.type} ${change.name}`);
    return own ? { ...change, fields: change.fields.map((field) => withPlace(field, own)) } : change;
  });
}

/** Where a manifest, or a data file of it, says a value; undefined for what stands nowhere by itself. */
export function placeIn(
  manifest: Manifest | undefined,
  { type, name }: { readonly type: string; readonly name: string },
  path: Field["path"],
): string | undefined {
  const entry = manifest?.entries.find(({ definition, key }) => definition.type === type && key === name);
  const spot = entry?.places.get(propertyPath(path));
  const place = spot?.by ? spot.place : (spot?.from?.[0] ?? spot?.place);
  return place?.file.locate(place.start);
}

/** The places of texts that were one thing in the last run and are another one now. */
export function changedPlaces(changes: readonly Change[], manifest: Manifest): ReadonlySet<string> {
  const entries = new Map(manifest.entries.map((entry) => [`${entry.definition.type} ${entry.key}`, entry.places]));
  const changed = changes.flatMap(({ type, name, fields }) => {
    const own = entries.get(`${type} ${name}`);
    return fields.flatMap(({ path, old, new: now }) => {
      const spot = old === undefined || now === undefined ? undefined : own?.get(propertyPath(path));
      // Put together from a row, it is not the text of one place.
      return spot === undefined || spot.from !== undefined ? [] : [spot.place.file.locate(spot.place.start)];
    });
  });
  return new Set(changed);
}

function withPlace(field: Field, places: Spots): Field {
  if (field.new === undefined) return field;
  const spot = places.get(propertyPath(field.path));
  const [place] = spot?.by ? [spot.place] : (spot?.from ?? []);
  return place ? { ...field, writtenIn: place.file.locate(place.start) } : field;
}
