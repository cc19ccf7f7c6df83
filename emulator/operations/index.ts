import type { Contract } from "../http/contract.ts";
import { account } from "./account.ts";
import { builder } from "./builder.ts";
import { content } from "./content.ts";
import { funnels } from "./funnels.ts";
import { hooks } from "./hooks.ts";
import { leads } from "./leads.ts";
import { openapi } from "./openapi.ts";
import type { Handler } from "./operation.ts";
import { pages } from "./pages.ts";
import { products } from "./products.ts";
import { projects } from "./projects.ts";
import { publishing } from "./publishing.ts";
import { quizzes } from "./quizzes.ts";
import { sites } from "./sites.ts";
import { templates } from "./templates.ts";
import { videos } from "./videos.ts";

/** Returns the handler of every operation of the contract, by operationId. */
export function handlersOf(contract: Contract): Map<string, Handler> {
  const groups = [
    account,
    openapi(contract),
    projects,
    sites,
    pages,
    content,
    publishing,
    templates,
    builder,
    quizzes,
    funnels,
    videos,
    products,
    leads,
    hooks,
  ];
  const handlers = new Map(groups.flatMap((group) => Object.entries(group)));
  const missing = contract.operations.filter(({ id }) => !handlers.has(id)).map(({ id }) => id);
  if (missing.length > 0)
    throw new Error(`schema/api.yaml has operations that the emulator lacks: ${missing.join(", ")}`);
  return handlers;
}
