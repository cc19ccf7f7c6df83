/** A proxy between provider and emulator. It answers or changes calls as a test says. */
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Emulator } from "../../emulator/index.ts";

export interface Asked {
  readonly method: string;
  /** The path below the base URL, without the query. */
  readonly path: string;
  /** The path with the query. */
  readonly url: string;
  readonly body: string;
}

export type Answered = Readonly<{ status: number; text: string; type?: string }>;

export type Moment = "before it is sent" | "after commit" | "after the answer";

class Ended extends Error {}

export class Between {
  instead: (asked: Asked) => Answered | undefined | Promise<Answered | undefined> = () => undefined;
  /** Changes the service's answer. */
  change: (answered: Answered, asked: Asked) => Answered = (answered) => answered;
  /** Called at each moment of each call, with the call's number. If it returns true, the call ends there. */
  ends: (moment: Moment, call: Asked, number: number) => boolean = () => false;
  /** Waits until the call may go on. */
  turn: (asked: Asked) => Promise<void> = () => Promise.resolve();
  readonly asked: Asked[] = [];
  #open = Infinity;
  #number = 0;
  readonly #server: Server;
  readonly #emulator: Emulator;

  constructor(emulator: Emulator) {
    this.#emulator = emulator;
    this.#server = createServer((request, response) => {
      const number = this.#number++;
      void this.#pass(request, number).then(
        ({ answered: { status, text, type = "application/json" }, asked }) => {
          response.writeHead(status, { "content-type": type }).end(text, () => {
            this.ends("after the answer", asked, number);
            if (--this.#open <= 0) this.close();
          });
        },
        () => response.destroy(),
      );
    });
  }

  /** Listens until so many calls were answered. Then it stops, and no connection is left. */
  async refusing(calls: number): Promise<string> {
    const baseUrl = await this.listen();
    this.#open = calls;
    if (calls === 0) this.close();
    return baseUrl;
  }

  /** Listens, and returns the base URL in place of the service's. */
  async listen(port = 0): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject).listen(port, "127.0.0.1", resolve);
    });
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  /** Counts the next call as the first again. */
  forget(): void {
    this.asked.length = 0;
    this.#number = 0;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #pass(request: IncomingMessage, number: number): Promise<{ answered: Answered; asked: Asked }> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const { method = "GET", url = "", headers } = request;
    const body = Buffer.concat(chunks).toString();
    const asked = { method, url, body, path: url.replace(/^\/v1/, "").replace(/\?.*/, "") };
    this.asked.push(asked);
    if (this.ends("before it is sent", asked, number)) throw new Ended();
    await this.turn(asked);
    const instead = await this.instead(asked);
    if (instead) return { answered: instead, asked };
    const answer = await fetch(this.#emulator.url + url, {
      method,
      headers: { authorization: headers.authorization ?? "", "content-type": "application/json" },
      ...(body !== "" && { body }),
    });
    const answered = { status: answer.status, text: await answer.text() };
    if (this.ends("after commit", asked, number)) throw new Ended();
    return { answered: this.change(answered, asked), asked };
  }
}
