/** Where docs/troubleshooting.md explains an error. A test holds that every class has its entry there. */

/**
 * From the folder of a project that has the package installed, or from its own. Messages are kept in states and reports, so
 * it is no path of this machine.
 */
export function pageIn(folder: string, page = "troubleshooting.md"): string {
  const installed = folder.replaceAll("\\", "/").lastIndexOf("node_modules/");
  const root =
    installed === -1
      ? ""
      : folder
          .slice(installed)
          .replaceAll("\\", "/")
          .replace(/(\/dist)?\/provider$/, "/");
  return `${root}docs/${page}`;
}

const PAGE = pageIn(import.meta.dirname);

/** The line that leads there: `WrongPassphraseError` is explained under `wrong-passphrase`. */
export function guideTo(name: string): string {
  return `See ${PAGE}#${anchorOf(name)}`;
}

/** Another page of the documentation. */
export function seePage(page: string): string {
  return `See ${pageIn(import.meta.dirname, page)}`;
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
