/** Lookups for programs that are not generated from the kinds. */
import * as pulumi from "@pulumi/pulumi";
import * as lookups from "../lookups/index.ts";
import { guided, output, outputList, plain, plainList, type LookupOptions } from "./lookup-forms.ts";

export { type LookupOptions } from "./lookup-forms.ts";
export * from "./kind-lookups.ts";

/** The account that the API key belongs to. */
export const getAccount = (options?: LookupOptions) => guided(lookups.getAccount, options);
/** The account that the API key belongs to. */
export const getAccountOutput = (options?: LookupOptions) => pulumi.output(getAccount(options));
/** Counts of what is in the account. */
export const getCounts = (options?: LookupOptions) => guided(lookups.getCounts, options);
/** Counts of what is in the account. */
export const getCountsOutput = (options?: LookupOptions) => pulumi.output(getCounts(options));
/** The content keys of a page, with their values. */
export const getContentMap = plain(lookups.getContentMap);
/** The content keys of a page, with their values. */
export const getContentMapOutput = output(lookups.getContentMap);
/** The builder's tree of a page. */
export const getBuilderTree = plain(lookups.getBuilderTree);
/** The builder's tree of a page. */
export const getBuilderTreeOutput = output(lookups.getBuilderTree);
/** One node of a page's builder. */
export const getBuilderNode = plain(lookups.getBuilderNode);
/** One node of a page's builder. */
export const getBuilderNodeOutput = output(lookups.getBuilderNode);
/** One template, by its id or its exact name. */
export const getTemplate = plain(lookups.getTemplate);
/** One template, by its id or its exact name. */
export const getTemplateOutput = output(lookups.getTemplate);
/** Templates; the service gives 100 at most. */
export const listTemplates = plainList(lookups.listTemplates);
/** Templates; the service gives 100 at most. */
export const listTemplatesOutput = outputList(lookups.listTemplates);
/** Leads; the service gives 50 at most. */
export const listLeads = plainList(lookups.listLeads);
/** Leads; the service gives 50 at most. */
export const listLeadsOutput = outputList(lookups.listLeads);
/** An example of what is delivered for an event. */
export const getHookSample = plain(lookups.getHookSample);
/** An example of what is delivered for an event. */
export const getHookSampleOutput = output(lookups.getHookSample);
