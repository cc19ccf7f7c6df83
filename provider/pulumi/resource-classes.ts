/** The makers of the resource classes, which a program sees with the types that resources.ts writes down. */
import * as pulumi from "@pulumi/pulumi";
import type { AnyDefinition } from "../definition/define.ts";
import type { Fitting } from "./known-templates.ts";
import { registration, settle } from "./resource.ts";

/** Outputs that show inputs as they are declared. */
export type Declared<Args, Names extends keyof Args> = {
  readonly [Name in Names]-?: pulumi.Output<pulumi.Unwrap<Args[Name]>>;
};

type Options = pulumi.CustomResourceOptions;
type Rest<Args> = object extends Args ? [args?: Args, options?: Options] : [args: Args, options?: Options];

type ResourceClass<Resource, Args> = new (name: string, ...rest: Rest<Args>) => Resource;

/** A class whose arguments are checked against those of a template that is known. */
type TemplatedClass<Resource, Args, Content> = new <TemplateId extends string = string>(
  name: string,
  args?: Fitting<Args, TemplateId, Content>,
  options?: Options,
) => Resource;

/** The SDK looks for the line of the user's program above three constructors: of this class, of CustomResource and of Resource. */
export function resourceOf<Resource, Args>(definition: AnyDefinition): ResourceClass<Resource, Args> {
  return class extends pulumi.CustomResource {
    constructor(name: string, args: object = {}, options?: Options) {
      const own = registration(definition, name, args, options);
      super(...own.call);
      settle(this, definition, args, own);
    }
  } as unknown as ResourceClass<Resource, Args>;
}

export function templatedOf<Resource, Args, Content>(
  definition: AnyDefinition,
): TemplatedClass<Resource, Args, Content> {
  return resourceOf(definition) as unknown as TemplatedClass<Resource, Args, Content>;
}
