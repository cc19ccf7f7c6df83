/** Templates whose content keys the type checker knows. */
import type * as pulumi from "@pulumi/pulumi";

/** The known templates, by id. `landform templates types` writes a file that adds to it; without that file nothing is known. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- it is there to be added to
export interface Templates {}

interface Known {
  readonly content: string;
  readonly variables: string;
}

type Texts<Name extends string> = Record<Name, pulumi.Input<string>>;

type KnownVariables<Name extends string> = [Name] extends [never]
  ? { variables?: pulumi.Input<Texts<string>> }
  : { variables: pulumi.Input<Texts<Name> & Texts<string>> };

/** A value of `Content` for each of these keys. */
type KnownContent<Key extends string, Content> = {
  content?: pulumi.Input<{ [Name in Key]?: Content }>;
};

/** The arguments for a template: its own keys and variables where they are known, any where they are not. */
export type Fitting<Args, TemplateId extends string, Content> = {
  /** Template that the page is made from. A change replaces the page. */
  templateId?: pulumi.Input<TemplateId>;
} & (TemplateId extends keyof Templates
  ? Templates[TemplateId] extends Known
    ? Omit<Args, "templateId" | "content" | "variables"> &
        KnownContent<Templates[TemplateId]["content"], Content> &
        KnownVariables<Templates[TemplateId]["variables"]>
    : Omit<Args, "templateId">
  : Omit<Args, "templateId">);
