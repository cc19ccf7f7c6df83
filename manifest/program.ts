/** The program of a folder that has only a manifest. The engine's caller gives the full path of the file. */
import { manifest } from "./run/manifest.ts";

export default manifest(process.env["LANDFORM_MANIFEST"] ?? "landform.yaml");
