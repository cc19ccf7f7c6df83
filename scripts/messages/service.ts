/** The messages of the client about calls that fail. */
import { startEmulator, type Emulator, type Fault } from "../../emulator/index.ts";
import { LandformApi, resolveConfig } from "../../provider/api/index.ts";
import { failureOf, type Message } from "./message.ts";

const READ_FAULTS: Readonly<Record<string, Fault>> = {
  "the service has a fault": { phase: "status", status: 503 },
  "too many calls": { phase: "status", status: 429, retryAfter: "120" },
  "an HTML page": { phase: "html" },
  "an HTML page with status 404": { phase: "html", status: 404 },
  "the answer is cut": { phase: "truncate" },
  "the connection is cut": { phase: "before" },
  "no answer": { phase: "slow", delayMs: 5000 },
};

export async function* serviceMessages(): AsyncIterable<Message> {
  const emulator = await startEmulator({ plan: "free" });
  const { baseUrl, apiKey } = emulator;
  const api = new LandformApi({ baseUrl, apiKey, timeoutMs: 1500 });
  try {
    for (const [when, fault] of Object.entries(READ_FAULTS)) {
      emulator.faults.add({ ...fault, times: Infinity });
      yield await failureOf(when, () => api.pages.list({}));
      emulator.faults.clear();
    }
    emulator.faults.add({ phase: "after", method: "POST", times: Infinity });
    yield await failureOf("the answer to a creation is lost", () => api.pages.create({ name: "Offer" }));
    emulator.faults.clear();
    yield await failureOf("a page that does not exist", () => api.pages.read("page_nothere"));
    yield await failureOf("an id that leaves the path", () => api.pages.read(".."));
    yield await failureOf("a wrong request", () => api.products.create({ name: "Box", type: "bundle" }));
    yield await failureOf("no paid plan", () =>
      api.projects.create({ name: "Spring", description: "d".repeat(60), context: "c".repeat(220) }),
    );
    yield* keyMessages(emulator);
    yield await failureOf("nobody listens", () => client("http://127.0.0.1:9/v1", apiKey).account.me());
    yield* settingMessages();
  } finally {
    await api.close();
    await emulator.close();
  }
}

async function* keyMessages(emulator: Emulator): AsyncIterable<Message> {
  const narrow = emulator.createKey({ scopes: ["account:read"] });
  yield await failureOf("a key without the scope", () => client(emulator.baseUrl, narrow).sites.list({}));
  yield await failureOf("an unknown key", () => client(emulator.baseUrl, "lfk_unknown").account.me());
}

async function* settingMessages(): AsyncIterable<Message> {
  const key = { LANDFORM_API_KEY: "key" };
  const settings: Record<string, Record<string, string>> = {
    "no base URL": key,
    "no key": { LANDFORM_BASE_URL: "https://api.example/v1" },
    "a key with a line break": { LANDFORM_BASE_URL: "https://api.example/v1", LANDFORM_API_KEY: "a\nb" },
    "http to another machine": { ...key, LANDFORM_BASE_URL: "http://api.example/v1" },
    "a time that is no number": { ...key, LANDFORM_BASE_URL: "https://api.example/v1", LANDFORM_TIMEOUT_MS: "soon" },
  };
  for (const [when, env] of Object.entries(settings)) yield await failureOf(when, () => resolveConfig(env));
}

function client(baseUrl: string, apiKey: string): LandformApi {
  return new LandformApi({ baseUrl, apiKey, timeoutMs: 1500 });
}
