/** Creations that an interrupted run left unfinished, as the state tells of them; the provider's host looks for them. Pure. */

/** What both engines' states have in common here. */
export interface StateResource {
  readonly urn: string;
  readonly type: string;
  readonly id?: string | undefined;
  readonly inputs?: Record<string, unknown> | undefined;
  readonly modified?: string | undefined;
}

export interface UnfinishedCreation {
  readonly urn: string;
  /** About when it was begun. */
  readonly at: string;
  /** Ids of the stack's other objects of that type and name: none of them is the one that is looked for. */
  readonly others: readonly string[];
}

export interface RecordedState {
  readonly manifest: { readonly time: string };
  readonly resources: readonly StateResource[];
  readonly pending: readonly { readonly type: string; readonly resource: StateResource }[];
}

/** Pulumi's own engine notes no time with an operation: then it is that of its last record, made while it went on. */
export function unfinishedCreations({ manifest, resources, pending }: RecordedState): UnfinishedCreation[] {
  return pending
    .filter(({ type }) => type === "creating")
    .map(({ resource }) => ({
      urn: resource.urn,
      at: resource.modified ?? manifest.time,
      others: resources.flatMap((other) => (other.id !== undefined && isAlike(other, resource) ? [other.id] : [])),
    }));
}

function isAlike(one: StateResource, other: StateResource): boolean {
  return one.type === other.type && one.inputs?.["name"] === other.inputs?.["name"];
}
