/**
 * What runs of this stack made, and its state no longer holds: somebody took it out, or moved it to another stack, before a
 * later run had seen it there. A destroy leaves that alone, and says so.
 */
import { isHeldBy } from "../engines/recorded.ts";
import { warns, type Check } from "./check.ts";

const STANDS = "it takes nothing else away, and the next destroy says so";

export const letGo: Check = {
  name: "let go",
  not: {
    ...{ preview: STANDS, up: STANDS, "up --plan": STANDS, "env up": STANDS, adopt: STANDS },
    ...{ undo: STANDS, "undo --preview": STANDS, "undo --plan": STANDS },
    "env down": "it looks through the account for all that the environment has made",
  },
  run: async ({ session: { engine }, leftovers }) => {
    const { made } = await engine.creations();
    if (made.length === 0) return {};
    const isHeld = isHeldBy((await engine.records()) ?? []);
    const left = made.filter((one) => !isHeld(one) && !leftovers.has(one.kind, one.id));
    return {
      findings: warns(
        left.map(
          ({ kind, id }) =>
            `${kind} ${id} was made by a run of this stack and is not in its state: it is left alone. If nothing else has it, delete it in the app.`,
        ),
        { lasts: true },
      ),
    };
  },
};
