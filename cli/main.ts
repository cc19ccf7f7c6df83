#!/usr/bin/env node
/** The executable. What an old Node can't even parse is loaded only after its version was checked. */
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `landform needs Node 22.18 or newer, and this is ${process.versions.node}. Install one from nodejs.org.`,
  );
  process.exit(4);
}
const { keepCompiled } = await import("./compiled.ts");
keepCompiled();
const { collectSoonerWhenLarge } = await import("./heap.ts");
collectSoonerWhenLarge();
const { run } = await import("./cli.ts");
const { surviveClosedPipes, written } = await import("./pipes.ts");
surviveClosedPipes();
const code = await run(process.argv.slice(2));
await written();
process.exit(code);
