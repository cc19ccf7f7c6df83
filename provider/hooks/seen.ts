/** Which events have been handled already. */

/** Of your own where a receiver is restarted often, or runs on several machines: a table with a unique key does. */
export interface SeenEvents {
  has(id: string): boolean | Promise<boolean>;
  /** After the event has been handled. */
  add(id: string): void | Promise<void>;
}

/** In memory; the oldest go first. */
export function rememberEvents(most = 10_000): SeenEvents {
  const ids = new Set<string>();
  return {
    has: (id) => ids.has(id),
    add: (id) => {
      ids.add(id);
      const [oldest] = ids;
      if (ids.size > most && oldest !== undefined) ids.delete(oldest);
    },
  };
}
