/** Loaded into programs with --import: `landform` and `@pulumi/pulumi` are found from here where the project has none. */
import { registerHooks } from "node:module";

registerHooks({
  resolve(specifier, context, next) {
    try {
      return next(specifier, context);
    } catch (error) {
      if (!/^(landform|@pulumi\/pulumi)(\/|$)/.test(specifier)) throw error;
      return next(specifier, { ...context, parentURL: import.meta.url });
    }
  },
});
