/** The files that a program needs around it, for a folder that has none. */
/** `landform`: where a package.json takes this package from. Node runs the program itself (type stripping), so that nothing has to be compiled. */
export function programFiles(name: string, landform: string): Record<string, string> {
  const manifest = {
    name,
    private: true,
    type: "module",
    main: "index.ts",
    dependencies: { "@pulumi/pulumi": "^3.216.0", landform },
    devDependencies: { "@types/node": "^24.0.0", typescript: "^6.0.0" },
  };
  const compiler = {
    compilerOptions: {
      target: "es2024",
      module: "nodenext",
      types: ["node"],
      strict: true,
      skipLibCheck: true,
      erasableSyntaxOnly: true,
      noEmit: true,
    },
    include: ["*.ts"],
  };
  return {
    "package.json": json(manifest),
    "tsconfig.json": json(compiler),
    "Pulumi.yaml": `name: ${name}\nruntime:\n  name: nodejs\n  options:\n    typescript: false\n`,
  };
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
