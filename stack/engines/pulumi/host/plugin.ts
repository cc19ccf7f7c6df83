/**
 * The plugin of dynamic providers that Pulumi starts: SCRIPT ENGINE. It hands its run over to the host that waits for it (process.ts), and
 * stands for that host's life and output. Where no host waits, it is the host: it runs the SDK's script.
 */
import { createRequire } from "node:module";
import { connect } from "node:net";
import { type FromHost, HOST_VARIABLE, onTold, tell } from "./wire.ts";

const [node = "", , script = "", ...args] = process.argv;
const { [HOST_VARIABLE]: path, ...env } = process.env;

if (path === undefined) serve();
else handOver(path);

function serve(): void {
  process.removeAllListeners("SIGINT");
  process.argv = [node, script, ...args];
  createRequire(script)(script);
}

function handOver(path: string): void {
  const socket = connect(path);
  let isRefused = false;
  socket.once("error", serve);
  socket.once("connect", () => {
    socket.off("error", serve);
    socket.on("error", () => undefined);
    socket.once("close", () => {
      if (!isRefused) process.exit(1);
    });
    // Pulumi waits five seconds for its plugin. A line that it did not get would be a notice that nobody sees.
    process.on("SIGINT", () => tell(socket, { end: true }));
    tell(socket, { begin: { args, env } });
  });
  const pass = (to: NodeJS.WriteStream, text: string): unknown => to.write(text, () => tell(socket, { passed: true }));
  onTold<FromHost>(socket, (told) => {
    if ("stdout" in told) pass(process.stdout, told.stdout);
    else if ("stderr" in told) pass(process.stderr, told.stderr);
    else if ("over" in told) process.stderr.write("", () => process.exit(0));
    else {
      isRefused = true;
      socket.destroy();
      serve();
    }
  });
}
