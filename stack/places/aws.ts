/** Finds region and credentials by AWS's own rules: variables, then the shared files. */
import { createHash, createHmac } from "node:crypto";
import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { UsageError } from "../exit/codes.ts";

type Env = NodeJS.ProcessEnv;
type Profile = Readonly<Record<string, string>>;

export async function regionFor(env: Env, profile: string | undefined): Promise<string> {
  return env["AWS_REGION"] || env["AWS_DEFAULT_REGION"] || (await profileIn(env, profile))["region"] || "us-east-1";
}

/** A named profile goes before the variables, as with AWS's own tools. */
export async function credentialsFor(env: Env, profile: string | undefined): Promise<Credentials> {
  const fromVariables =
    profile === undefined &&
    credentials(env["AWS_ACCESS_KEY_ID"], env["AWS_SECRET_ACCESS_KEY"], env["AWS_SESSION_TOKEN"]);
  if (fromVariables) return fromVariables;
  const {
    aws_access_key_id: id,
    aws_secret_access_key: secret,
    aws_session_token: token,
  } = await profileIn(env, profile);
  const fromProfile = credentials(id, secret, token);
  if (fromProfile) return fromProfile;
  throw new UsageError(
    'there are no credentials for the bucket: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE. For a login of another kind: eval "$(aws configure export-credentials --format env)"',
  );
}

function credentials(id = "", secret = "", token = ""): Credentials | undefined {
  if (id === "" || secret === "") return undefined;
  return { accessKeyId: id, secretAccessKey: secret, ...(token !== "" && { sessionToken: token }) };
}

/** Reads the profile from both files. Throws if a named profile does not exist. */
async function profileIn(env: Env, named: string | undefined): Promise<Profile> {
  const name = named ?? (env["AWS_PROFILE"] || undefined);
  const folder = join(homedir(), ".aws");
  const files = [
    env["AWS_CONFIG_FILE"] || join(folder, "config"),
    env["AWS_SHARED_CREDENTIALS_FILE"] || join(folder, "credentials"),
  ];
  const texts = await Promise.all(files.map((file) => readFile(file, "utf8").catch(() => "")));
  const found = texts.map((text) => sectionsOf(text).get(name ?? "default"));
  if (name !== undefined && found.every((profile) => profile === undefined))
    throw new UsageError(`there is no profile ${name} in ${files.join(" or ")}`);
  return Object.assign({}, ...found) as Profile;
}

function sectionsOf(text: string): Map<string, Record<string, string>> {
  const sections = new Map<string, Record<string, string>>();
  let current: Record<string, string> = {};
  for (const line of text.split(/\r?\n/)) {
    const [, section] = /^\[\s*(?:profile\s+)?(.+?)\s*\]/.exec(line) ?? [];
    const [, name, value] = /^\s*([\w.-]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (section !== undefined) sections.set(section, (current = sections.get(section) ?? {}));
    else if (name !== undefined && value !== undefined && !line.startsWith("#")) current[name.toLowerCase()] = value;
  }
  return sections;
}

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

interface Unsigned {
  readonly method: string;
  /** Path and query are encoded by `encoded`. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

const ALGORITHM = "AWS4-HMAC-SHA256";

/** Returns all headers of the request, signed for S3. */
export function signed(
  { method, url, headers, body }: Unsigned,
  { accessKeyId, secretAccessKey, sessionToken }: Credentials,
  region: string,
  now: Date,
): Record<string, string> {
  const time = now.toISOString().replace(/[:-]|\.\d{3}/g, "");
  const day = time.slice(0, 8);
  const all: Record<string, string> = {
    ...headers,
    host: url.host,
    "x-amz-content-sha256": sha256(body),
    "x-amz-date": time,
    ...(sessionToken === undefined ? {} : { "x-amz-security-token": sessionToken }),
  };
  const names = Object.keys(all).sort();
  const canonical = [
    method,
    url.pathname,
    canonicalQuery(url),
    ...names.map((name) => `${name}:${(all[name] ?? "").trim()}`),
    "",
    names.join(";"),
    sha256(body),
  ].join("\n");
  const scope = `${day}/${region}/s3/aws4_request`;
  const key = [day, region, "s3", "aws4_request"].reduce<Buffer | string>(hmac, `AWS4${secretAccessKey}`);
  const signature = hmac(key, [ALGORITHM, time, scope, sha256(canonical)].join("\n")).toString("hex");
  const authorization = `${ALGORITHM} Credential=${accessKeyId}/${scope}, SignedHeaders=${names.join(";")}, Signature=${signature}`;
  return { ...all, authorization };
}

/** Encodes a segment of a path, or a part of a query: every character but letters, digits and `-._~`. */
export function encoded(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

function canonicalQuery({ searchParams }: URL): string {
  const pairs = [...searchParams].map(([name, value]) => `${encoded(name)}=${encoded(value)}`);
  return pairs.sort().join("&");
}

function sha256(data: Uint8Array | string): string {
  return createHash("sha256").update(data).digest("hex");
}

function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}
