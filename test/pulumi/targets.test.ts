import { compareScenarios } from "./compare.ts";
import { targets } from "./scenarios/targets.ts";

compareScenarios("both engines: targets", targets);
