/** The talk between Pulumi's plugin (plugin.ts) and the waiting host (process.ts): one JSON text a line. */
import { createInterface } from "node:readline";
import type { Socket } from "node:net";

export const HOST_VARIABLE = "LANDFORM_HOST";

export type FromPlugin =
  | { begin: { args: readonly string[]; env: Readonly<Record<string, string | undefined>> } }
  /** The next text has been passed on. */
  | { passed: true }
  /** Pulumi has ended its plugin. */
  | { end: true };

export type FromHost =
  | { stdout: string }
  | { stderr: string }
  /** The host serves another plugin. */
  | { refused: true }
  /** All that the run has printed was told before. */
  | { over: true };

/** A reader of lines ends one at these characters, too, and JSON leaves them as they are. */
const ENDS = /[\u2028\u2029]/g;

export function tell(socket: Socket, message: FromPlugin | FromHost): void {
  const line = JSON.stringify(message).replaceAll(ENDS, (end) => `\\u${end.charCodeAt(0).toString(16)}`);
  socket.write(`${line}\n`);
}

export function onTold<Message>(socket: Socket, listener: (message: Message) => void): void {
  const lines = createInterface({ input: socket });
  lines.on("line", (line) => listener(JSON.parse(line) as Message));
  // A reader of lines tells its stream's errors once more, and the listener of the socket has heard them.
  lines.on("error", () => undefined);
}
