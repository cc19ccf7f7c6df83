import { compareScenarios } from "./compare.ts";
import { identity } from "./scenarios/identity.ts";

compareScenarios("both engines: names, parents and providers", identity);
