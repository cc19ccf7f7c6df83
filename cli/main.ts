#!/usr/bin/env node
/** The executable. It checks Node's version before it loads modules that an old Node can't parse. */
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major < 22 || (major === 22 && minor < 19)) {
  console.error(
    `landform needs Node 22.19 or newer, and this is ${process.versions.node}. Install one from nodejs.org.`,
  );
  process.exit(4);
}
const { collectSoonerWhenLarge, keepCompiled, surviveClosedPipes, written } = await import("./process.ts");
keepCompiled();
collectSoonerWhenLarge();
const { run } = await import("./cli.ts");
surviveClosedPipes();
const code = await run(process.argv.slice(2));
await written();
process.exit(code);
