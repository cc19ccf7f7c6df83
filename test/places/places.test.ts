/** Folders and buckets give the same answers to the same calls. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPlace } from "../../stack/places/open.ts";
import { PlaceError, type Place } from "../../stack/places/place.ts";
import { openBucket } from "../../stack/places/s3.ts";
import { s3Server, startS3 } from "../suite/servers.ts";
import { forAllTests } from "../suite/opened.ts";

const text = (bytes: Uint8Array | undefined): string | undefined => bytes && Buffer.from(bytes).toString("utf8");

function answersLikeAPlace(open: () => Promise<Place>): void {
  test("what is put is got, replaced, listed and deleted", async () => {
    const place = await open();
    expect([await place.get("a/b.json"), await place.list()]).toEqual([undefined, []]);
    expect(await place.put("a/b.json", "one")).toBe(true);
    expect(await place.put("a/b.json", Buffer.from([0, 255, 10]))).toBe(true);
    expect([...((await place.get("a/b.json")) ?? [])]).toEqual([0, 255, 10]);
    await place.put("a/c d+e (1)!'ü&amp;.json", "");
    await place.put("ab.json", "x");
    expect(await place.list()).toEqual(["a/b.json", "a/c d+e (1)!'ü&amp;.json", "ab.json"]);
    expect(await place.list("a/")).toEqual(["a/b.json", "a/c d+e (1)!'ü&amp;.json"]);
    expect(text(await place.get("a/c d+e (1)!'ü&amp;.json"))).toBe("");
    await place.delete("a/b.json");
    await place.delete("a/b.json");
    expect(await place.get("a/b.json")).toBeUndefined();
    for (const key of await place.list()) await place.delete(key);
  });

  test("of many that put the same key where there is none, one does", async () => {
    const place = await open();
    const puts = Array.from({ length: 12 }, (_, writer) => place.put("claim", `by ${writer}`, { ifAbsent: true }));
    const won = (await Promise.all(puts)).flatMap((done, writer) => (done ? [writer] : []));
    expect(won).toHaveLength(1);
    expect(text(await place.get("claim"))).toBe(`by ${won[0]}`);
    await place.delete("claim");
  });

  test("a key can't leave the place", async () => {
    const place = await open();
    for (const key of ["../x", "a/../../x", "/x", "a//b", "", ".hidden", "a\\b"])
      await expect(place.put(key, "x")).rejects.toThrow("is no key");
  });
}

test("an endpoint that holds a password is refused, without it", async () => {
  const opened = openPlace("s3://state/plans?region=eu-central-1&endpoint=https://u:hush@buckets.example");
  const refused = await opened.then(
    () => "it was opened",
    (error: unknown) => String(error),
  );
  expect(refused).toContain("the endpoint buckets.example of s3://state holds a user name or password");
  expect(refused).not.toContain("hush");
});

describe("a folder", () => {
  const root = mkdtempSync(join(tmpdir(), "landform-place-"));
  afterAll(() => rmSync(root, { recursive: true }));
  answersLikeAPlace(() => openPlace(join(root, "deep/er")));

  test("is its owner's alone, relative to the folder that is given, and keeps no drafts", async () => {
    const place = await openPlace("file://./plans", root);
    await place.put("dev.json", "{}");
    expect([place.name, readdirSync(join(root, "plans"))]).toEqual([join(root, "plans"), ["dev.json"]]);
    expect(statSync(join(root, "plans/dev.json")).mode & 0o777).toBe(0o600);
  });

  test.skipIf(process.platform !== "linux")(
    "where none can be made is an error, and no wait without an end",
    async () => {
      const place = await openPlace("/proc/landform/plans");
      await expect(place.put("a/b", "x")).rejects.toThrow(PlaceError);
    },
  );

  test("that can't be asked is an error, no empty answer", async () => {
    writeFileSync(join(root, "file"), "");
    const place = await openPlace("file", root);
    await expect(place.list()).rejects.toThrow(PlaceError);
    await expect(place.put("a", "x")).rejects.toThrow(/can't write .*file/);
    await expect(place.get("a")).rejects.toThrow(PlaceError);
  });

  test.each(["", "gs://bucket", "https://example.com/x"])("%j is refused by name", async (name) => {
    await expect(openPlace(name)).rejects.toThrow("s3://BUCKET/PREFIX");
  });
});

describe.skipIf(s3Server === undefined)("a bucket", () => {
  const server = forAllTests(() => startS3());
  const open = (path = "", query = "", env = server.env): Promise<Place> =>
    openBucket(server.url.replace("?", `${path}?`) + query, env);

  answersLikeAPlace(() => open("/plans/of the team"));

  test("lists page by page", async () => {
    const place = await open("/many");
    const keys = Array.from({ length: 1_003 }, (_, index) => `k/${String(index).padStart(4, "0")}`);
    for (let from = 0; from < keys.length; from += 50)
      await Promise.all(keys.slice(from, from + 50).map((key) => place.put(key, "")));
    expect(await place.list("k/")).toEqual(keys);
  });

  test("that isn't there, or a key that is wrong, is an error, no empty answer", async () => {
    const { AWS_ACCESS_KEY_ID = "" } = server.env;
    const wrong = await open("", "", { ...server.env, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY: "wrong" });
    await expect(wrong.get("a")).rejects.toThrow(/s3:\/\/team: GET was answered with HTTP 403 SignatureDoesNotMatch/);
    const missing = await openBucket(server.url.replace("team", "nobodys"), server.env);
    await expect(missing.get("a")).rejects.toThrow("NoSuchBucket");
    await expect(missing.list()).rejects.toThrow("NoSuchBucket");
    await expect(missing.put("a", "x")).rejects.toThrow("NoSuchBucket");
    await expect(missing.delete("a")).rejects.toThrow("NoSuchBucket");
  });
});

describe("a bucket's service in trouble", () => {
  const asked: string[] = [];
  let answers: ((request: IncomingMessage, response: ServerResponse) => void)[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.headers["if-none-match"] ?? ""}`.trim());
    request.resume().on("end", () => answers.shift()?.(request, response));
  });
  let place: Place;
  const status =
    (code: number, body = "") =>
    (_: IncomingMessage, response: ServerResponse) =>
      response.writeHead(code).end(body);
  const lost = (request: IncomingMessage) => request.socket.destroy();
  const play = (...script: typeof answers) => {
    answers = script;
    asked.length = 0;
  };

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const env = {
      AWS_ACCESS_KEY_ID: "id",
      AWS_SECRET_ACCESS_KEY: "secret",
      AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${port}`,
    };
    place = await openBucket("s3://team/plans", env);
  });
  afterAll(() => server.close());

  test("is asked again", async () => {
    play(status(503), lost, status(200, "there"));
    expect(text(await place.get("a"))).toBe("there");
    expect(asked).toEqual(["GET", "GET", "GET"]);
  });

  test("that keeps failing is an error with its address", async () => {
    play(status(500), status(500), status(500), status(500, "<Code>InternalError</Code>"));
    await expect(place.list()).rejects.toThrow("s3://team/plans: GET was answered with HTTP 500 InternalError");
    play(lost, lost, lost, lost);
    await expect(place.put("a", "x")).rejects.toThrow(/s3:\/\/team\/plans can't be reached at http:\/\/127/);
  });
});

describe("AWS's settings", () => {
  const folder = mkdtempSync(join(tmpdir(), "landform-aws-"));
  const files = { AWS_CONFIG_FILE: join(folder, "config"), AWS_SHARED_CREDENTIALS_FILE: join(folder, "credentials") };
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    response.writeHead(404).end("<Code>NoSuchKey</Code>");
  });
  let address: string;

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    writeFileSync(files.AWS_CONFIG_FILE, "[default]\nregion = eu-north-1\n[profile team]\nregion=eu-west-3\n# x = y\n");
    writeFileSync(
      files.AWS_SHARED_CREDENTIALS_FILE,
      "[default]\naws_access_key_id = plain\naws_secret_access_key = s\n[team]\naws_access_key_id=ours\naws_secret_access_key=s\n",
    );
  });
  afterAll(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });

  test.each<[string, Record<string, string>, string, string]>([
    ["variables", { AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "s", AWS_REGION: "sa-east-1" }, "", "id/sa-east-1"],
    ["the default profile", {}, "", "plain/eu-north-1"],
    ["a profile by its variable", { AWS_PROFILE: "team" }, "", "ours/eu-west-3"],
    [
      "a profile in the address",
      { AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "s" },
      "&profile=team",
      "ours/eu-west-3",
    ],
    ["a region in the address", {}, "&region=ap-south-1", "plain/ap-south-1"],
  ])("credentials and region by %s", async (_, env, query, expected) => {
    const all = { ...files, ...env };
    const place = await openBucket(`s3://bucket?endpoint=${address}${query}`, all);
    expect(await place.get("a")).toBeUndefined();
    const { authorization } = requests.at(-1)?.headers ?? {};
    const [id, region] = expected.split("/");
    expect(authorization).toMatch(new RegExp(`Credential=${id}/\\d{8}/${region}/s3/aws4_request`));
  });

  test("none, or a profile that isn't there, is refused by name", async () => {
    const none = { AWS_SHARED_CREDENTIALS_FILE: join(folder, "none"), AWS_CONFIG_FILE: join(folder, "none") };
    await expect(openBucket("s3://b", none)).rejects.toThrow("set AWS_ACCESS_KEY_ID");
    await expect(openBucket("s3://b?profile=typo", files)).rejects.toThrow("there is no profile typo");
  });
});
