// The examples and the dynamic-provider host import "landform" by name, as a user's program does. npm can't link a
// package into its own node_modules, so a checkout does it here.
import { existsSync, symlinkSync } from "node:fs";
import { fileURLToPath } from "node:url";

const link = fileURLToPath(new URL("../node_modules/landform", import.meta.url));
if (!existsSync(link)) symlinkSync(fileURLToPath(new URL("..", import.meta.url)), link, "junction");
