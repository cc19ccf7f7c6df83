/** The talk between Pulumi's plugin (plugin.ts) and the waiting host (process.ts): one JSON text a line. */
import { createInterface } from "node:readline";
import type { Socket } from "node:net";

/** Names the socket of the waiting host. */
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

export function tell(socket: Socket, message: FromPlugin | FromHost): void {
  socket.write(`${JSON.stringify(message)}\n`);
}

export function onTold<Message>(socket: Socket, listener: (message: Message) => void): void {
  createInterface({ input: socket }).on("line", (line) => listener(JSON.parse(line) as Message));
}
