import { compareScenarios } from "./compare.ts";
import { replacement } from "./scenarios/replacement.ts";

compareScenarios("both engines: replacement", replacement);
