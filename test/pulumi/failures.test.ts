import { compareScenarios } from "./compare.ts";
import { failures } from "./scenarios/failures.ts";

compareScenarios("both engines: failures", failures);
