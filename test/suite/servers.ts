/** Servers of others that a test runs for itself, each on its own port with its own data. */
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { once } from "node:events";
import { connect, createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { findS3Server } from "../../scripts/get-s3.ts";
import { whole } from "./parts.ts";

export interface Server {
  /** PULUMI_BACKEND_URL of an empty place. */
  readonly url: string;
  /** Returns the same URL with another place, which is empty, too. */
  another(name: string): string;
  /** The environment for the server's clients. */
  readonly env: Record<string, string>;
  close(): Promise<void>;
}

/** The path of an S3-compatible server, or undefined: then tests that need one are skipped. `npm run get-s3` gets it. */
export const s3Server = whole ? findS3Server() : undefined;

/** PostgreSQL as Debian installs it, or nothing. */
export const postgresFolder = whole ? findPostgres() : undefined;

export function findPostgres(): string | undefined {
  const root = "/usr/lib/postgresql";
  const versions = existsSync(root) ? readdirSync(root).sort() : [];
  return versions.map((version) => join(root, version, "bin")).findLast((folder) => existsSync(join(folder, "initdb")));
}

/** Starts a gateway over a folder, with one bucket called `team`. */
export async function startS3(): Promise<Server> {
  const root = mkdtempSync(join(tmpdir(), "landform-s3-"));
  for (const folder of ["data/team", "sidecar"]) mkdirSync(join(root, folder), { recursive: true });
  const port = await freePort();
  const [AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY] = ["landform-test", "landform-test-secret"];
  const all = [
    "--port",
    `127.0.0.1:${port}`,
    "--quiet",
    "--access",
    AWS_ACCESS_KEY_ID,
    "--secret",
    AWS_SECRET_ACCESS_KEY,
  ];
  const kept = ["posix", "--sidecar", join(root, "sidecar"), join(root, "data")];
  const server = spawn(findS3Server() ?? "", [...all, ...kept], { stdio: "ignore" });
  await answering(port, server);
  const query = `region=us-east-1&endpoint=http://127.0.0.1:${port}&s3ForcePathStyle=true`;
  return {
    url: `s3://team?${query}`,
    another: (name) => `s3://team/${name}?${query}`,
    env: { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_EC2_METADATA_DISABLED: "true" },
    close: () => ended(server, "SIGKILL", root),
  };
}

const NOBODY = 65_534;

/** PostgreSQL refuses to run as root, so root gives it to the user nobody. */
export async function startPostgres(): Promise<Server> {
  const root = mkdtempSync(join(tmpdir(), "landform-pg-"));
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  if (user.uid !== undefined) chownSync(root, NOBODY, NOBODY);
  const [data, port] = [join(root, "data"), await freePort()];
  const program = (name: string): string => join(findPostgres() ?? "", name);
  const options = { ...user, cwd: root, env: { PATH: process.env["PATH"], LC_ALL: "C" } };
  await promisify(execFile)(program("initdb"), ["-D", data, "-A", "trust", "-U", "team", "--no-sync"], options);
  const settings = ["-c", "listen_addresses=127.0.0.1", "-c", "fsync=off", "-k", root];
  const server = spawn(program("postgres"), ["-D", data, "-p", String(port), ...settings], {
    ...options,
    stdio: "ignore",
  });
  await answering(port, server);
  const url = `postgres://team@127.0.0.1:${port}/postgres?sslmode=disable`;
  return {
    url,
    another: (name) => `${url}&table=${name}`,
    env: {},
    close: () => ended(server, "SIGQUIT", root),
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

const PATIENCE = 300;

async function answering(port: number, server: ChildProcess): Promise<void> {
  for (let tries = 0; tries < PATIENCE; tries++) {
    if (server.exitCode !== null) throw new Error(`${server.spawnfile} ended with code ${server.exitCode}`);
    const socket = connect(port, "127.0.0.1");
    const open = await new Promise<boolean>((resolve) => {
      socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    });
    socket.destroy();
    if (open) return;
    await delay(100);
  }
  server.kill("SIGKILL");
  throw new Error(`${server.spawnfile} does not answer on port ${port}`);
}

async function ended(server: ChildProcess, signal: NodeJS.Signals, folder: string): Promise<void> {
  if (server.exitCode === null && server.signalCode === null) {
    server.kill(signal);
    await once(server, "exit");
  }
  rmSync(folder, { recursive: true, force: true });
}
