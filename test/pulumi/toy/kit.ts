import * as pulumi from "@pulumi/pulumi";
import { fileURLToPath } from "node:url";

const providerModule = fileURLToPath(new URL("provider.ts", import.meta.url));

export interface ThingArgs {
  name?: pulumi.Input<string>;
  size?: pulumi.Input<number>;
  note?: pulumi.Input<unknown>;
  token?: pulumi.Input<string>;
  links?: pulumi.Input<unknown>;
  kind?: pulumi.Input<string>;
  slot?: pulumi.Input<string>;
  tier?: pulumi.Input<string>;
}

export interface Thing extends pulumi.CustomResource {
  readonly label: pulumi.Output<string>;
  readonly revision: pulumi.Output<number>;
  readonly size: pulumi.Output<number>;
  readonly token: pulumi.Output<string>;
}

/** A component; `publish` registers its outputs. */
export interface Group extends pulumi.ComponentResource {
  publish(outputs: pulumi.Inputs): void;
}

type ThingClass = new (name: string, args?: ThingArgs, options?: pulumi.CustomResourceOptions) => Thing;

/** The parts of a scenario's program: the SDK and the toy resources over one store. */
export interface Kit {
  pulumi: typeof pulumi;
  Thing: ThingClass;
  Group: new (name: string, options?: pulumi.ComponentResourceOptions) => Group;
  /** An explicit provider for things. */
  Provider: new (name: string, options?: pulumi.ResourceOptions) => pulumi.ProviderResource;
}

export type Program = (kit: Kit) => unknown;

const thingClass = (handler: string): ThingClass =>
  class extends pulumi.CustomResource {
    declare readonly label: pulumi.Output<string>;
    declare readonly revision: pulumi.Output<number>;
    declare readonly size: pulumi.Output<number>;
    declare readonly token: pulumi.Output<string>;

    constructor(name: string, args: ThingArgs = {}, options?: pulumi.CustomResourceOptions) {
      const inputs = { name, size: 1, ...args, __provider: handler };
      super("pulumi-nodejs:dynamic/toy:Thing", name, { label: undefined, revision: undefined, ...inputs }, options);
    }
  };

export function createKit(storeFolder: string): Kit {
  const handler = `exports.handler=()=>require(${JSON.stringify(providerModule)}).thing(${JSON.stringify(storeFolder)})`;
  return {
    pulumi,
    Thing: thingClass(handler),
    Group: class extends pulumi.ComponentResource {
      constructor(name: string, options?: pulumi.ComponentResourceOptions) {
        super("toy:index:Group", name, {}, options);
      }

      publish(outputs: pulumi.Inputs): void {
        this.registerOutputs(outputs);
      }
    },
    Provider: class extends pulumi.ProviderResource {
      constructor(name: string, options?: pulumi.ResourceOptions) {
        super("pulumi-nodejs", name, {}, options);
      }
    },
  };
}
