/** The process of a program that Pulumi does not run itself: a landform.yaml, and any program where Pulumi has no Node language host. */
import { pathToFileURL } from "node:url";
import { prepareLanguage, serveLanguage, type ServedLanguage } from "../../../engine/index.ts";
import { exportOf } from "./operation.ts";

export type ChildOrder = { serve: string; env: Record<string, string> } | { hasFailed: boolean };

export type ChildReply = { port: number } | { left: string | undefined };

let served: Promise<ServedLanguage> | undefined;

prepareLanguage();

process.on("message", (order: ChildOrder) => {
  if ("serve" in order) {
    Object.assign(process.env, order.env);
    served = serveLanguage(() => load(order.serve));
    void served.then(({ port, giveUp }) => {
      tell({ port });
      process.on("beforeExit", () => {
        process.channel?.ref();
        void giveUp(order.serve);
      });
    });
  } else void served?.then(({ over }) => tell({ left: over(order.hasFailed) }));
});

function tell(reply: ChildReply): void {
  process.send?.(reply);
}

/** From here on, only the program's own work keeps this process alive. Node tells the open handles by no other name (24, 2026-11). */
function keepNothingAlive(): void {
  const handles = Reflect.get(process, "_getActiveHandles") as () => { unref?: () => void }[];
  for (const handle of handles()) handle.unref?.();
  process.channel?.unref();
}

async function load(file: string): Promise<Record<string, unknown>> {
  keepNothingAlive();
  const made = exportOf((await import(pathToFileURL(file).href)) as Record<string, unknown>);
  return (await (typeof made === "function" ? (made as () => unknown)() : made)) as Record<string, unknown>;
}
