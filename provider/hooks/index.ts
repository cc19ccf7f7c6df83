/** For receivers of webhooks: `landform/hooks`. It needs neither Pulumi nor an account. */
export type { HookEvent } from "./events.ts";
export type { EventType } from "../api/index.ts";
export { nodeListener } from "./node.ts";
export { hookReceiver, type HookHandlers, type Receive, type ReceiverOptions } from "./receiver.ts";
export { rememberEvents, type SeenEvents } from "./seen.ts";
