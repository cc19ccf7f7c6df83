/** Stands between provider and emulator, and answers or changes what a test wants. */
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Emulator } from "../../emulator/index.ts";

export interface Asked {
  readonly method: string;
  /** Below the base URL, without the query. */
  readonly path: string;
  /** With the query. */
  readonly url: string;
}

export interface Answered {
  readonly status: number;
  readonly text: string;
  readonly type?: string;
}

export class Between {
  /** Answers in place of the service, which then never sees the call. */
  instead: (asked: Asked) => Answered | undefined = () => undefined;
  /** What becomes of the service's answer. */
  change: (answered: Answered, asked: Asked) => Answered = (answered) => answered;
  readonly asked: Asked[] = [];
  readonly #server: Server;
  readonly #emulator: Emulator;

  constructor(emulator: Emulator) {
    this.#emulator = emulator;
    this.#server = createServer((request, response) => {
      void this.#pass(request).then(
        ({ status, text, type = "application/json" }) => response.writeHead(status, { "content-type": type }).end(text),
        () => response.destroy(),
      );
    });
  }

  /** Where it listens: the base URL of the service that it stands for. */
  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #pass(request: IncomingMessage): Promise<Answered> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const { method = "GET", url = "", headers } = request;
    const asked = { method, url, path: url.replace(/^\/v1/, "").replace(/\?.*/, "") };
    this.asked.push(asked);
    const instead = this.instead(asked);
    if (instead) return instead;
    const answer = await fetch(this.#emulator.url + url, {
      method,
      headers: { authorization: headers.authorization ?? "", "content-type": "application/json" },
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    return this.change({ status: answer.status, text: await answer.text() }, asked);
  }
}
