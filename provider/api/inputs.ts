/** The inputs of operations: bodies and queries, as schema/api.yaml describes them. A property left undefined is not sent. */
import { eventTypes } from "./generated/fields.ts";
import type { components } from "./generated/types.ts";
import type { OperationName } from "./operations.ts";

type Of<Inputs, Name extends OperationName> = Name extends keyof Inputs ? Inputs[Name] : never;

export type Body<Name extends OperationName> = Of<components["schemas"]["Bodies"], Name>;

export type Query<Name extends OperationName> = Of<components["schemas"]["Queries"], Name>;

export type Filter<Name extends OperationName> = Omit<Query<Name>, "limit" | "page" | "skip">;

export type ProjectCreate = Body<"createProject">;
export type ProjectUpdate = Body<"updateProject">;
export type SiteCreate = Body<"createSite">;
export type PageCreate = Body<"createPage">;
/** At least one of the optional fields must be there. */
export type PageMetadataInput = Body<"updatePageMetadata">;
export type QuizCreate = Body<"createQuiz">;
export type FunnelCreate = Body<"createFunnel">;
/** `pages` replaces the whole list of steps. */
export type FunnelUpdate = Body<"updateFunnel">;
export type FunnelStep = NonNullable<FunnelUpdate["pages"]>[number];
export type VideoUpdate = Body<"updateVideo">;
export type ProductCreate = Body<"createProduct"> & { readonly name: string };
export type ProductUpdate = Body<"updateProduct">;
export type HookCreate = Body<"createHook">;

export { eventTypes };
export type EventType = (typeof eventTypes)[number];

export type FunnelFilter = Filter<"listFunnels">;
export type FunnelList = Query<"listFunnels">;
export type PageSearch = Query<"searchPages">;
export type TemplateSearch = Query<"listTemplates">;
/** 50 leads come at most. */
export type LeadSearch = Query<"searchLeads">;
