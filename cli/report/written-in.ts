/** Which line of a data file a changed value comes from: whoever reads the plan has written there, not in landform.yaml. */
import { type Manifest, type Spot } from "../../manifest/index.ts";
import { propertyPath } from "../../provider/paths.ts";
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

function withPlace(field: Field, places: ReadonlyMap<string, Spot>): Field {
  if (field.new === undefined) return field;
  const spot = places.get(propertyPath(field.path));
  const [place] = spot?.by ? [spot.place] : (spot?.from ?? []);
  return place ? { ...field, writtenIn: place.file.locate(place.start) } : field;
}
