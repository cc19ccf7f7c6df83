/** What the state tells that the provider's host can't know, which sees one resource at a time. Pure. */

/** What both engines' states have in common here. */
export interface StateResource {
  readonly urn: string;
  readonly type: string;
  readonly id?: string | undefined;
  readonly provider?: string | undefined;
  readonly inputs?: Record<string, unknown> | undefined;
  readonly outputs?: Record<string, unknown> | undefined;
  readonly modified?: string | undefined;
}

export interface RecordedState {
  readonly manifest: { readonly time: string };
  readonly resources: readonly StateResource[];
  readonly pending: readonly { readonly type: string; readonly resource: StateResource }[];
}

export interface UnfinishedCreation {
  readonly urn: string;
  /** About when it was begun. */
  readonly at: string;
  /** Ids of the stack's other objects of that type and name: none of them is the one that is looked for. */
  readonly others: readonly string[];
}

export interface RecordedAccount {
  /** Which provider: the variable that its key comes from; none for the stack's own. */
  readonly apiKeyEnv?: string;
  /** Id of the account that its resources are in. */
  readonly account: string;
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

/** So that a creation with a key of another account is refused, though it comes before all that exists. */
export function recordedAccounts({ resources }: Pick<RecordedState, "resources">): RecordedAccount[] {
  const variables = new Map(resources.map(({ urn, inputs }) => [urn, inputs?.["landform:apiKeyEnv"]]));
  const found = new Map<string, RecordedAccount>();
  for (const { provider = "", outputs } of resources) {
    const meta = outputs?.["__landform"];
    const account = typeof meta === "object" && meta !== null && "account" in meta ? meta.account : undefined;
    const variable = variables.get(provider.slice(0, provider.lastIndexOf("::")));
    if (typeof account !== "string" || found.has(provider)) continue;
    found.set(provider, { account, ...(typeof variable === "string" && { apiKeyEnv: variable }) });
  }
  return [...found.values()];
}

function isAlike(one: StateResource, other: StateResource): boolean {
  return one.type === other.type && one.inputs?.["name"] === other.inputs?.["name"];
}
