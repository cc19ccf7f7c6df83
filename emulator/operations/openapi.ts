import { type Contract, describe } from "../http/contract.ts";
import type { Operations } from "./operation.ts";

export function openapi(contract: Contract): Operations {
  return {
    getOpenapi: ({ notShown, origin }) => describe(contract, notShown, `${origin.origin}/v1`),
  };
}
