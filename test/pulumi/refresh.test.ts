import { compareScenarios } from "./compare.ts";
import { refresh } from "./scenarios/refresh.ts";

compareScenarios("both engines: refresh and recovery", refresh);
