/**
 * A client that does nothing but as many calls, so many at a time: what the same calls take at least here, with the service and
 * the processor that there are. Run as a process of its own.
 */
import { Agent, request } from "undici";

const [calls, atATime] = process.argv.slice(2).map(Number);
const dispatcher = new Agent({ connections: atATime });
const headers = { authorization: `Bearer ${process.env.LANDFORM_API_KEY}` };
let left = calls;
const client = async () => {
  while (left-- > 0) {
    const { body } = await request(`${process.env.LANDFORM_BASE_URL}/me`, { dispatcher, headers });
    await body.dump();
  }
};
await Promise.all(Array.from({ length: atATime }, client));
await dispatcher.close();
