/** The intents that a plan is made for. Pure. */

/** All intents get the same plan, of this command. The table of checks says which checks each one gets. */
const COMMANDS = {
  preview: "preview",
  "ci plan": "preview",
  adopt: "preview",
  up: "up",
  "up --plan": "up",
  "ci apply": "up",
  "env up": "up",
  undo: "undo",
  "undo --preview": "undo",
  "undo --plan": "undo",
  destroy: "destroy",
  "destroy --max-deletes": "destroy",
  "env down": "destroy",
} as const;

export type IntentKind = keyof typeof COMMANDS;

export const INTENTS = Object.keys(COMMANDS) as IntentKind[];

export function verbOf({ kind }: { readonly kind: IntentKind }): (typeof COMMANDS)[IntentKind] {
  return COMMANDS[kind];
}

/** Tells if the intent sends nothing. */
export function isLook({ kind }: { readonly kind: IntentKind }): boolean {
  return COMMANDS[kind] === "preview" || kind === "undo --preview";
}

export const PREVIEWS = ["preview", "ci plan"] as const;
export const UNDOES = ["undo", "undo --preview", "undo --plan"] as const;
export const DESTROYS = ["destroy", "destroy --max-deletes", "env down"] as const;
