/** Where docs/troubleshooting.md explains an error. A test holds that every class has its entry there. */

/** The line that leads there: `WrongPassphraseError` is explained under `wrong-passphrase`. */
export function guideTo(name: string): string {
  return `See docs/troubleshooting.md#${anchorOf(name)}`;
}

export function anchorOf(name: string): string {
  const words = name.replace(/Error$/, "").replaceAll(/(?<=[a-z])(?=[A-Z])/g, "-");
  return words.toLowerCase();
}

/** For errors whose message alone arrives: the message leads to the entry by itself. Once, however often it is thrown. */
export function leadToGuide(error: Error, name = error.name): void {
  const guide = guideTo(name);
  if (error.message.endsWith(guide)) return;
  error.message = `${error.message.replace(/(?<![.!?])$/, ".")} ${guide}`;
}
