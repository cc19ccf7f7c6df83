/**
 * A program registers its resources a few at a time. The SDK prepares all that are ready before it sends the first, since
 * promises go before what the network brings: meanwhile the engine waits, and then the program for the engine.
 */
const A_TURN = 16;

export function paced(ready: () => Promise<void>): () => Promise<void> {
  let left = A_TURN;
  let turn: Promise<void> = Promise.resolve();
  return async () => {
    await ready();
    if (left === 0) {
      left = A_TURN;
      turn = turn.then(() => new Promise((resolve) => void setImmediate(resolve)));
    }
    left--;
    await turn;
  };
}
