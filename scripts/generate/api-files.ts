/** The files that follow from schema/api.yaml only: the types, operations and fields that all other code imports. */
import { apiTypesSource, fieldsSource, operationsSource } from "./api.ts";
import { formatted, type GeneratedFile } from "./formatted.ts";

export async function apiFiles(): Promise<GeneratedFile[]> {
  return Promise.all([
    formatted("provider/api/generated/types.ts", await apiTypesSource(), "typescript"),
    formatted("provider/api/generated/operations.ts", operationsSource(), "typescript"),
    formatted("provider/api/generated/fields.ts", fieldsSource(), "typescript"),
  ]);
}
