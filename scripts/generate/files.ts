/** The generated files, formatted as the rest of the repository. */
import { format, resolveConfig } from "prettier";
import { apiTypesSource, fieldsSource, operationsSource } from "./api.ts";
import { classesSource } from "./classes.ts";
import { referencePages } from "./docs.ts";
import { lookupsSource, programLookupsSource } from "./lookups.ts";
import { reportSchemaSource } from "./report-schema.ts";
import { schemaSource } from "./schema.ts";

export interface GeneratedFile {
  readonly path: string;
  readonly text: string;
}

export async function generatedFiles(): Promise<GeneratedFile[]> {
  const options = await resolveConfig(new URL("../../package.json", import.meta.url));
  const formatted = async (path: string, text: string, parser: string): Promise<GeneratedFile> => ({
    path,
    text: await format(text, { ...options, parser }),
  });
  return Promise.all([
    formatted("provider/api/generated/types.ts", await apiTypesSource(), "typescript"),
    formatted("provider/api/generated/operations.ts", operationsSource(), "typescript"),
    formatted("provider/api/generated/fields.ts", fieldsSource(), "typescript"),
    formatted("provider/pulumi/resources.ts", classesSource(), "typescript"),
    formatted("provider/lookups/kinds.ts", lookupsSource(), "typescript"),
    formatted("provider/pulumi/kind-lookups.ts", programLookupsSource(), "typescript"),
    formatted("schema/landform.schema.json", schemaSource(), "json"),
    formatted("schema/report.schema.json", reportSchemaSource(), "json"),
    ...(await referencePages()).map(({ path, text }) => formatted(path, text, "markdown")),
  ]);
}
