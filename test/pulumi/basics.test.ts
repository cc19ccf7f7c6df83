// @module-tag thorough
import { compareScenarios } from "./compare.ts";
import { basics } from "./scenarios/basics.ts";

compareScenarios("both engines: create, update and delete", basics, { quick: 1 });
