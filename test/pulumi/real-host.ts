// A process of its own for the real engine's programs. Inline programs run in the process of the Automation API, and their remains in the SDK's state
// must not reach the test runner. It talks to real.ts over the IPC channel.
import { LocalWorkspace, Stack, type EngineEvent } from "@pulumi/pulumi/automation/index.js";
import { pathToFileURL } from "node:url";
import { join } from "node:path";
import type { OperationRequest, OperationResult } from "./engine.ts";
import type { Sandbox } from "./sandbox.ts";

export type HostRequest =
  | { id: number; open: Sandbox; create: boolean; stack: string; passphrase: string }
  | { id: number; run: OperationRequest };
export type HostReply = { id: number; value: OperationResult | undefined } | { id: number; error: string };

type OpenRequest = Extract<HostRequest, { open: Sandbox }>;

const stacks = new Map<string, Stack>();

async function open({ open: sandbox, create, stack: name, passphrase }: OpenRequest): Promise<void> {
  const envVars = { PULUMI_BACKEND_URL: `file://${sandbox.backend}`, PULUMI_CONFIG_PASSPHRASE: passphrase };
  const workspace = await LocalWorkspace.create({ workDir: sandbox.work, envVars });
  const stack = await (create ? Stack.create(name, workspace) : Stack.select(name, workspace));
  // `up` asks the CLI three more questions for its answer, but the checkpoint file has it all.
  stack.outputs = () => Promise.resolve({});
  stack.info = () => Promise.resolve(undefined);
  stacks.set(sandbox.root, stack);
}

let imports = 0;

/** Loads the sandbox's program from the disk as a new module each time. */
async function loadProgram(sandbox: Sandbox): Promise<() => Promise<Record<string, unknown>>> {
  const url = `${pathToFileURL(join(sandbox.work, "index.js")).href}?${imports++}`;
  const module = (await import(url)) as { default: () => Promise<Record<string, unknown>> };
  return module.default;
}

async function run({ sandbox, kind, options }: OperationRequest): Promise<OperationResult> {
  const stack = stacks.get(sandbox.root);
  if (!stack) throw new Error(`the stack in ${sandbox.root} was never opened`);
  const events: EngineEvent[] = [];
  let output = "";
  const { targets: target, ...rest } = options;
  const common = {
    ...rest,
    ...(target && { target }),
    onEvent: (event: EngineEvent) => events.push(event),
    onOutput: (text: string) => (output += text),
    onError: (text: string) => (output += text),
  };
  try {
    if (kind === "destroy") await stack.destroy(common);
    else if (kind === "refresh") await stack.refresh(common);
    else await stack[kind]({ ...common, program: await loadProgram(sandbox) });
    return { result: "succeeded", events, output };
  } catch (error) {
    return { result: "failed", events, output: `${output}\n${String(error)}` };
  }
}

async function answer(request: HostRequest): Promise<HostReply> {
  try {
    if ("run" in request) return { id: request.id, value: await run(request.run) };
    await open(request);
    return { id: request.id, value: undefined };
  } catch (error) {
    return { id: request.id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

process.on("message", (request: HostRequest) => {
  void answer(request).then((reply) => process.send?.(reply));
});
