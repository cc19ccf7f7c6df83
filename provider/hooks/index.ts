/** For receivers of webhooks: `landform/hooks`. It needs neither Pulumi nor an account. */
export type { EventType } from "../api/index.ts";
export {
  type HookEvent,
  type HookHandlers,
  hookReceiver,
  nodeListener,
  type Receive,
  type ReceiverOptions,
  rememberEvents,
  type SeenEvents,
} from "./receiver.ts";
