import { FileBackend, PassphraseSecrets, type StackRef } from "../../engine/index.ts";

/**
 * A process for the tests to kill or to race with. `steps FOLDER SALT PASSPHRASE STACK` creates one resource after the other and prints the name of
 * each durable one. `lock FOLDER STACK` takes the lock once standard input says so.
 */
const [mode, folder = "", ...rest] = process.argv.slice(2);
const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function steps(salt = "", passphrase = "", stack = ""): Promise<void> {
  const ref: StackRef = { project: "shop", stack };
  const backend = await FileBackend.open(folder);
  const session = await backend.begin(await backend.lock(ref), await PassphraseSecrets.fromSalt(salt, passphrase), {
    kind: "update",
  });
  const create = async (name: string): Promise<void> => {
    const urn = `urn:pulumi:${stack}::shop::test:index:Thing::${name}`;
    const resource = { urn, custom: true, id: name, type: "test:index:Thing", outputs: { name } };
    await session.commit(await session.begin({ type: "creating", resource }), { new: resource });
    say(name);
  };
  for (let batch = 0; ; batch++) await Promise.all([0, 1, 2, 3].map((index) => create(`t${batch}-${index}`)));
}

async function lock(stack = ""): Promise<void> {
  const backend = await FileBackend.open(folder);
  say("ready");
  await new Promise((resolve) => process.stdin.once("data", resolve));
  try {
    await backend.lock({ project: "shop", stack });
    say("locked");
  } catch (error) {
    say(error instanceof Error ? error.name : String(error));
  }
  await new Promise((resolve) => process.stdin.once("data", resolve));
  process.stdin.destroy();
}

await (mode === "steps" ? steps(...rest) : lock(...rest));
