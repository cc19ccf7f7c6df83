/** Collects the items of one turn of the event loop and passes them on together. */
export class Bundle<Item> {
  readonly #pass: (items: readonly Item[]) => void;
  #items: Item[] = [];

  constructor(pass: (items: readonly Item[]) => void) {
    this.#pass = pass;
  }

  add(item: Item): void {
    if (this.#items.length === 0) process.nextTick(() => this.#flush());
    this.#items.push(item);
  }

  #flush(): void {
    const items = this.#items;
    this.#items = [];
    this.#pass(items);
  }
}
