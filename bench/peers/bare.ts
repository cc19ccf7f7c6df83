/** Declares as many resources with the same inputs, with a provider that does nothing: this shows Pulumi's own part. */
import { readFileSync } from "node:fs";
import { CustomResource, type Input } from "@pulumi/pulumi";

const PROVIDER = 'exports.handler=()=>({create:async(inputs)=>({id:"bare",outs:inputs})})';

class Bare extends CustomResource {
  constructor(kind: string, name: string, inputs: Record<string, Input<unknown>>) {
    super(`pulumi-nodejs:dynamic/bench:${kind}`, name, { __provider: PROVIDER, ...inputs });
  }
}

type Declared = Record<string, Record<string, unknown>>;
const account = JSON.parse(readFileSync(new URL("account.json", import.meta.url), "utf8")) as Record<
  "projects" | "sites" | "pages" | "products" | "funnels",
  Declared
>;
const [projectId] = Object.entries(account.projects).map(([name, inputs]) => new Bare("Project", name, inputs).id);
const [siteId] = Object.keys(account.sites).map((name) => new Bare("Site", name, { projectId }).id);
for (const [name, inputs] of Object.entries(account.pages)) new Bare("Page", name, { ...inputs, projectId, siteId });
for (const [name, inputs] of Object.entries(account.products)) new Bare("Product", name, { ...inputs, projectId });
for (const [name, inputs] of Object.entries(account.funnels)) new Bare("Funnel", name, { ...inputs, projectId });
