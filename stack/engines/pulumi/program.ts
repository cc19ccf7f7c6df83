/** The process that serves a program to Pulumi. It loads what it needs, and waits for its order. */
import { ownModule } from "../../project/package.ts";
import { type ChildProcess, fork } from "node:child_process";
import { CommandError, exitCodes } from "../../exit/codes.ts";
import { hostEnvironment } from "../children.ts";
import type { ChildOrder, ChildReply } from "./child.ts";

export interface ProgramServer {
  serve(file: string, env: Record<string, string>): Promise<number>;
  /** Fails if the process ends by itself. It never resolves. */
  readonly gone: Promise<never>;
  /** Pulumi has ended. Returns a message if the program has left work undone. */
  over(hasFailed: boolean): Promise<string | undefined>;
  stop(): void;
}

export function startProgramServer(cwd: string): ProgramServer {
  const child = fork(ownModule("stack/engines/pulumi/child"), {
    env: { ...process.env, ...hostEnvironment({}) },
    cwd,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    // Ctrl-C goes to the group of the terminal. Landform tells Pulumi instead.
    detached: true,
    execArgv: [],
  });
  const gone = new Promise<never>((_, reject) => {
    let printed = "";
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (data: Buffer) => (printed += String(data)));
    child.once("error", reject);
    child.once("exit", (code) => {
      const message = `the process of the program ended with code ${code ?? "?"}\n${printed.trim()}`;
      reject(new CommandError(exitCodes.failed, message));
    });
  });
  gone.catch(() => undefined);
  const ask = <Reply extends ChildReply>(order: ChildOrder): Promise<Reply> =>
    Promise.race([gone, answerOf<Reply>(child, order)]);
  return {
    serve: async (serve, env) => (await ask<{ port: number }>({ serve, env })).port,
    gone,
    over: async (hasFailed) => (await ask<{ left: string | undefined }>({ hasFailed })).left,
    stop: () => child.kill("SIGKILL"),
  };
}

function answerOf<Reply>(child: ChildProcess, order: ChildOrder): Promise<Reply> {
  return new Promise((resolve) => {
    child.once("message", (reply) => resolve(reply as Reply));
    child.send(order);
  });
}
