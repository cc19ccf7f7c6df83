/**
 * Generated requests for every operation of schema/api.yaml against the emulator. Each answer has a documented status and a body that its schema
 * accepts. A request that the schema accepts never gets 5xx, and one that it refuses is refused.
 */
import * as fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { startEmulator } from "../../emulator/index.ts";
import type { Answer } from "../conformance/target.ts";
import { connect } from "../conformance/target.ts";
import type { Pool } from "./arbitrary.ts";
import { accepted, rejected, rejectedText } from "./arbitrary.ts";
import type { Operation, Parameter } from "./openapi.ts";
import { loadDocument, operationsOf } from "./openapi.ts";
import { violations } from "./validator.ts";

const emulator = await startEmulator({ seed: "demo" });
const server = connect(emulator.baseUrl, emulator.apiKey);
afterAll(() => emulator.close());

const operations = operationsOf(loadDocument());
const pool = await existing();
const runs = { numRuns: 15 };

interface Request {
  path: string;
  query: Record<string, string>;
  body?: unknown;
}

/** Returns the ids that requests may use, by the names of the fields and parameters that take them. */
async function existing(): Promise<Pool> {
  const ids = async (id: string, query = {}): Promise<string[]> => {
    const { body } = await server.call(id, { query });
    return (body as { id: string }[]).map((item) => item.id).slice(0, 5);
  };
  const [pages, sites, projects] = [await ids("listPages"), await ids("listSites"), await ids("listProjects")];
  const [templates, quizTemplates] = [await ids("listTemplates"), await ids("listTemplates", { type: "quiz" })];
  const { body } = await server.call("getBuilder", { query: { page_id: pages[0] ?? "" } });
  const nodes = [...JSON.stringify(body).matchAll(/"id":"(node[^"]+)"/g)].map((match) => String(match[1]));
  const records = {
    page_id: pages,
    pageId: pages,
    site_id: sites,
    siteId: sites,
    project_id: projects,
    projectId: projects,
    template_id: [...templates, ...quizTemplates],
    node_id: nodes.slice(0, 5),
    quizId: await ids("listQuizzes"),
    funnel_id: await ids("listFunnels"),
    video_id: await ids("listVideos"),
    product_id: await ids("listProducts"),
    eventType: ["page.created"],
  };
  return { ...records, funnelId: records.funnel_id, videoId: records.video_id, productId: records.product_id };
}

function wellFormed(operation: Operation, body: fc.Arbitrary<unknown> | undefined): fc.Arbitrary<Request> {
  const inPath = operation.parameters.filter((parameter) => parameter.in === "path");
  const inQuery = operation.parameters.filter((parameter) => parameter.in === "query");
  const value = (parameter: Parameter) => accepted(parameter.schema, pool, parameter.name).map(String);
  const segment = (parameter: Parameter) => value(parameter).filter((text) => !/^(\.{0,2}|builder|sample)$/.test(text));
  const required = inQuery.filter((parameter) => parameter.required).map((parameter) => parameter.name);
  return fc
    .tuple(
      fc.tuple(...inPath.map(segment)),
      fc.record(Object.fromEntries(inQuery.map((parameter) => [parameter.name, value(parameter)])), {
        requiredKeys: required,
      }),
      body ?? fc.constant(undefined),
    )
    .map(([segments, query, content]) => {
      const path = segments.reduce(
        (rest, text) => rest.replace(/\{\w+\}/, () => encodeURIComponent(text)),
        operation.path,
      );
      return { path, query: query, body: content };
    });
}

const send = (operation: Operation, request: Request): Promise<Answer> =>
  server.send(operation.method, request.path, { query: request.query, body: request.body });

function documented(operation: Operation, answer: Answer): void {
  const response = operation.responses[String(answer.status)];
  expect(response, `${operation.id} answered ${answer.status}: ${answer.text.slice(0, 300)}`).toBeDefined();
  expect(answer.contentType).toContain("application/json");
  expect(violations(response?.schema ?? {}, answer.body), answer.text.slice(0, 300)).toEqual([]);
  if (answer.status >= 400) expect(response?.errorCodes).toContain((answer.body as { error: string }).error);
}

describe.each(operations)("$method $path", (operation) => {
  const body = operation.body && accepted(operation.body.schema, pool);

  test("answers as documented to what the schema accepts", async () => {
    await fc.assert(
      fc.asyncProperty(wellFormed(operation, body), async (request) => {
        documented(operation, await send(operation, request));
      }),
      runs,
    );
  });

  test.each(operation.body ? [operation.body] : [])("refuses bodies which the schema refuses", async ({ schema }) => {
    const bad = rejected(schema, pool);
    await fc.assert(
      fc.asyncProperty(wellFormed(operation, bad), async (request) => {
        const answer = await send(operation, request);
        expect(answer.status, JSON.stringify(request.body)).toBeGreaterThanOrEqual(400);
        documented(operation, answer);
      }),
      runs,
    );
  });

  const refusing = operation.parameters.filter(({ in: place, schema }) => place === "query" && rejectedText(schema));

  test.each(refusing)("refuses a $name which the schema refuses", async (parameter) => {
    const bad = rejectedText(parameter.schema) ?? fc.constant("");
    await fc.assert(
      fc.asyncProperty(wellFormed(operation, body), bad, async (request, text) => {
        const answer = await send(operation, { ...request, query: { ...request.query, [parameter.name]: text } });
        expect(answer.status, `${parameter.name}=${text}`).toBeGreaterThanOrEqual(400);
        documented(operation, answer);
      }),
      runs,
    );
  });
});

test("generated requests reach the success of nearly every operation", () => {
  const succeeded = new Set(
    emulator.requests.filter(({ status }) => status < 300).map((one) => `${one.method} ${one.route}`),
  );
  expect(succeeded.size).toBeGreaterThan(45);
});
