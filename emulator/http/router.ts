import { type Contract, type Operation, parametersOf, pathOf } from "./contract.ts";
import { invalid, Refusal } from "./errors.ts";
import type { NotShown } from "../not-shown.ts";

export interface Match {
  operation: Operation;
  /** The path template of the route on this server. */
  route: string;
  /** Path parameters under the contract's names. */
  params: Record<string, string>;
}

interface Route {
  operation: Operation;
  path: string;
  segments: string[];
  names: string[];
}

/** Finds the operation of a call. */
export class Router {
  readonly #contract: Contract;
  readonly #notShown: NotShown;
  #routes: Route[] = [];
  #paths = "";

  constructor(contract: Contract, notShown: NotShown) {
    this.#contract = contract;
    this.#notShown = notShown;
  }

  match(method: string, path: string): Match {
    const segments = path.split("/");
    const candidates = this.#table().filter((route) => fits(route, segments));
    const literal = candidates.reduce((least, { names }) => Math.min(least, names.length), Infinity);
    const served = candidates.filter(({ names }) => names.length === literal);
    const route = served.find(({ operation }) => operation.method === method);
    if (route !== undefined) {
      return { operation: route.operation, route: route.path, params: paramsOf(route, segments) };
    }
    if (served[0] === undefined) {
      throw new Refusal("no_route", `There is nothing at ${path}. GET /openapi.json tells which paths there are.`);
    }
    const allowed = served.map(({ operation }) => operation.method).join(", ");
    const message = `${method} is not a method of ${served[0].path}. It takes ${allowed}.`;
    throw new Refusal("wrong_method", message, { headers: { Allow: allowed } });
  }

  /** Returns the routes. It makes them again if a switch has changed a path. */
  #table(): Route[] {
    const { operations } = this.#contract;
    const paths = operations.map((operation) => pathOf(operation, this.#notShown)).join("\n");
    if (paths !== this.#paths) {
      this.#paths = paths;
      this.#routes = operations.map((operation) => routeOf(operation, pathOf(operation, this.#notShown)));
    }
    return this.#routes;
  }
}

function routeOf(operation: Operation, path: string): Route {
  const names = parametersOf(operation.path);
  if (parametersOf(path).length !== names.length) {
    throw new Error(
      `The path ${path} of ${operation.id} must have ${names.length} parameter(s), as ${operation.path}.`,
    );
  }
  return { operation, path, segments: path.split("/"), names };
}

function fits(route: Route, segments: string[]): boolean {
  return (
    route.segments.length === segments.length &&
    route.segments.every((wanted, index) =>
      wanted.startsWith("{") ? segments[index] !== "" : wanted === segments[index],
    )
  );
}

function paramsOf(route: Route, segments: string[]): Record<string, string> {
  const values = segments.filter((_, index) => route.segments[index]?.startsWith("{"));
  return Object.fromEntries(route.names.map((name, index) => [name, decode(values[index] ?? "", name)]));
}

function decode(value: string, name: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    throw invalid(`The path parameter ${name} is not percent-encoded UTF-8: ${value}`);
  }
}
