/** The files that follow from the registry: classes, lookups, schemas, reference. */
import { classesSource } from "./classes.ts";
import { referencePages } from "./docs.ts";
import { formatted, type GeneratedFile } from "./formatted.ts";
import { lookupsSource, programLookupsSource } from "./lookups.ts";
import { reportSchemaSource } from "./report-schema.ts";
import { schemaSource } from "./schema.ts";

export async function registryFiles(): Promise<GeneratedFile[]> {
  return Promise.all([
    formatted("provider/pulumi/resources.ts", classesSource(), "typescript"),
    formatted("provider/lookups/kinds.ts", lookupsSource(), "typescript"),
    formatted("provider/pulumi/kind-lookups.ts", programLookupsSource(), "typescript"),
    formatted("schema/landform.schema.json", schemaSource(), "json"),
    formatted("schema/report.schema.json", reportSchemaSource(), "json"),
    ...(await referencePages()).map(({ path, text }) => formatted(path, text, "markdown")),
  ]);
}
