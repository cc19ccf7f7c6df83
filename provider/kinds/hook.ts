/** Webhook subscriptions. The API never lists or returns one, so nothing compares the state with the service. */
import { randomBytes } from "node:crypto";
import { isIP } from "node:net";
import { z } from "zod";
import { type EventType, eventTypes, type LandformApi } from "../api/index.ts";
import { LookupError } from "../definition/collection.ts";
import { defineResource } from "../definition/define.ts";
import { TOKEN_PARAMETER } from "../hooks/receiver.ts";
import { camelKeys, type Json } from "../values/json.ts";
import { brokenRule } from "../values/problems.ts";
import { remove, removing } from "../reconcile/settled.ts";
import { hasUnknown, UNKNOWN } from "../values/paths.ts";
import { targetUrlFault } from "../api/public-hosts.ts";
import { out } from "./fields.ts";

export const hook = defineResource({
  kind: "hook",
  section: "hooks",
  doc: "A webhook subscription. Any change makes a new one; the service never shows it again, so it has no drift.",
  named: false,
  secrets: ["targetUrl", "deliveryToken"],
  inputs: z.strictObject({
    eventType: z.enum(eventTypes).describe("Event that is delivered."),
    targetUrl: z.string().min(1).describe("Public HTTPS URL that receives the events."),
    filters: z
      .record(z.string(), z.json())
      .optional()
      .describe("Filters stored with the subscription, passed on as they are."),
    token: z
      .boolean()
      .optional()
      .describe(
        `Add a token to the URL (${TOKEN_PARAMETER}=…), so that the receiver can drop deliveries of a subscription that no stack knows.`,
      ),
  }),
  outputs: z.object({
    eventType: out.text("Event that is delivered."),
    active: out.flag("True until the subscription is disabled."),
    deliveryToken: out.nullable("The token that `token: true` adds to the URL. Secret."),
    createdAt: out.nullable("When it was created, ISO-8601."),
  }),
  rules: {
    eventType: { onChange: "replace", shownValue: undefined },
    targetUrl: { onChange: "replace" },
    filters: { onChange: "replace", removalReplaces: true },
    token: { onChange: "replace", removalReplaces: true },
  },
  calls: { create: ["createHook"], adopt: [], update: [], delete: ["deleteHook"] },
  inPreview: { becomes: "asked for" },
  limits: [
    {
      api: "The API never lists or returns a subscription.",
      landform:
        "So a hook has no drift and can't be adopted. A killed run may leave a subscription that no stack knows, and the next run says so. With `token: true` the receiver can drop its deliveries.",
    },
    { api: "The API can't change a subscription.", landform: "Every change makes a new one and disables the old one." },
  ],
  exporting: {
    hidden: {
      text: "Hooks: the API never lists subscriptions, so none are here. Those that are declared are made anew.",
    },
  },
  plan: {
    scopes: eventScopes,
    check: ({ targetUrl }) => {
      const fault = typeof targetUrl === "string" && targetUrl !== UNKNOWN ? targetUrlFault(targetUrl) : undefined;
      return fault === undefined ? [] : [brokenRule(["targetUrl"], "public-https", fault)];
    },
    diff: (old, now) => {
      // An input that is newly declared or dropped makes another subscription, too.
      const fields = ["eventType", "targetUrl", "filters", "token"];
      const comesOrGoes = (field: string): boolean => old.declared.has(field) !== (now[field] !== undefined);
      return fields.filter((field) => comesOrGoes(field) && !hasUnknown(now[field]));
    },
  },
  create: async ({ api }, inputs) => {
    const deliveryToken = inputs.token ? randomBytes(16).toString("hex") : null;
    const record = await api.hooks.create({
      target_url: deliveryToken === null ? inputs.targetUrl : withToken(inputs.targetUrl, deliveryToken),
      event_type: inputs.eventType,
      filters: inputs.filters,
    });
    return { id: record.id, answer: { ...camelKeys(record), deliveryToken }, sent: Object.keys(inputs) };
  },
  life: {
    doubled: ({ eventType, token }) => {
      const each = typeof eventType === "string" && eventType.includes("lead") ? "lead" : "event";
      // The receiver drops deliveries without the new token.
      if (token === true) return undefined;
      return `The service may still deliver to the same URL from the earlier subscription, so that the receiver would get each ${each} twice. Remove that one in the app, or declare token: true, so that the receiver can drop its deliveries`;
    },
    searchHint: ({ eventType, targetUrl }) => `${eventType as string}${towards(targetUrl)}`,
  },
  read: (_services, _id, old) => Promise.resolve(old.answer),
  apply: () => Promise.resolve(),
  delete: (run, id, old) => {
    const removal = { kind: "hook", id, call: `DELETE /hooks/${id}`, send: () => run.api.hooks.delete(id) } as const;
    return removing(run, removal, old, null, () => remove(run, removal));
  },
});

/** A subscription needs to read the objects that its events are about: `page.published` wants pages:read. */
function eventScopes(value: (field: string) => unknown): readonly string[] | undefined {
  const event = value("eventType");
  const subject = typeof event === "string" ? /(lead|page|product|funnel|site|project)/.exec(event)?.[1] : undefined;
  return subject === undefined ? undefined : [`${subject}s:read`];
}

/** Returns the host of the target for messages. Some services put the credential into the host, so the part before the domain is left out. */
function towards(target: Json | undefined): string {
  if (typeof target !== "string" || !URL.canParse(target)) return "";
  const { hostname } = new URL(target);
  const labels = hostname.split(".");
  const isWhole = labels.length <= 2 || isIP(hostname.replace(/^\[|\]$/g, "")) !== 0;
  return ` to ${isWhole ? hostname : `a host of ${labels.slice(-2).join(".")}`}`;
}

function withToken(target: string, token: string): string {
  const url = new URL(target);
  url.searchParams.set(TOKEN_PARAMETER, token);
  return url.href;
}

/** Returns an example of the data that the service delivers for an event. */
export async function getHookSample(
  api: LandformApi,
  { eventType }: { readonly eventType: EventType },
): Promise<Readonly<Record<string, unknown>>> {
  const [sample] = await api.hooks.sample(eventType);
  if (sample) return sample;
  throw new LookupError(`The service has no sample of ${eventType} (GET /hooks/sample/${eventType}).`);
}
