import { get } from "node:http";

/** Visits a published page as a browser does. Browsers take every NAME.localhost for this machine; Node asks the resolver. */
export function visit(url: string): Promise<{ status: number; body: string }> {
  const { host, port, pathname } = new URL(url);
  return new Promise((resolve, reject) => {
    const request = get({ host: "127.0.0.1", port, path: pathname, headers: { host } }, (response) => {
      let body = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => (body += chunk));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body }));
    });
    request.on("error", reject);
  });
}
