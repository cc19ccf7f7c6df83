/** The program of a folder that has a manifest and nothing else. The engine's caller names the file, in full. */
import { manifest } from "./run/manifest.ts";

export default manifest(process.env["LANDFORM_MANIFEST"] ?? "landform.yaml");
