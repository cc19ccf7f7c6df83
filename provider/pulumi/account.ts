/** A second account in the same program: resources with the option `provider` go to it. */
import * as pulumi from "@pulumi/pulumi";

export interface AccountArgs {
  /** Base URL of the API, with its version segment. */
  readonly baseUrl: pulumi.Input<string>;
  /** Name of the environment variable that holds the account's API key. The key itself never enters the program. */
  readonly apiKeyEnv: string;
  /** Deadline of a call in milliseconds, its retries included. */
  readonly timeoutMs?: number;
  /** Calls under way at the same time. */
  readonly maxConcurrency?: number;
  /** No more calls than that are started in a second. */
  readonly requestsPerSecond?: number;
}

export class Account extends pulumi.ProviderResource {
  constructor(name: string, args: AccountArgs, options?: pulumi.ResourceOptions) {
    const settings = Object.entries(args).filter(([, value]) => value !== undefined);
    const inputs = settings.map(([key, value]): [string, pulumi.Input<string>] => [
      `landform:${key}`,
      pulumi.output(value as pulumi.Input<string | number>).apply(String),
    ]);
    super("pulumi-nodejs", name, Object.fromEntries(inputs), options);
  }
}
