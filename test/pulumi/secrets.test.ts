import { compareScenarios } from "./compare.ts";
import { secrets } from "./scenarios/secrets.ts";

compareScenarios("both engines: secrets", secrets);
