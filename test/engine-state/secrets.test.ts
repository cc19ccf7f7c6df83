import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  DecryptionError,
  passphraseFromEnvironment,
  PassphraseSecrets,
  MissingPassphraseError,
  UnsupportedSecretsError,
  WrongPassphraseError,
} from "../../engine/index.ts";
import { passphrase, sharedSecrets, temporaryFolder } from "./fixtures.ts";

/** Pulumi 3.245.0 wrote this for the passphrase "pw". */
const PULUMI_SALT = "v1:aVAADX44uS4=:v1:a4CSp24ElZgfo2UE:EsTd/U7Ea5N9at7JFw7T63sOBVNEAA==";
const PULUMI_VALUE = "v1:ameyQj4IvQzhQZVM:r8UMwyGdiEJaMEa6hxJ4b5wyHBSwhlU=";

describe("passphrase secrets", () => {
  it("open what Pulumi encrypted", async () => {
    const secrets = await PassphraseSecrets.fromSalt(PULUMI_SALT, "pw");
    expect(secrets.decrypt(PULUMI_VALUE)).toBe("hunter2");
    expect(secrets.provider).toStrictEqual({ type: "passphrase", state: { salt: PULUMI_SALT } });
  });

  it("name the remedy for a wrong passphrase", async () => {
    const refused = PassphraseSecrets.fromSalt(PULUMI_SALT, "PW");
    await expect(refused).rejects.toThrow(WrongPassphraseError);
    await expect(refused).rejects.toThrow(/PULUMI_CONFIG_PASSPHRASE/);
  });

  it("open their own values again, each with its own nonce", async () => {
    const secrets = await sharedSecrets();
    const again = await PassphraseSecrets.fromSalt(secrets.salt, passphrase);
    for (const text of ["", "pulumi", "naïve 🎈\n", "x".repeat(100_000)])
      expect(again.decrypt(secrets.encrypt(text))).toBe(text);
    expect(secrets.encrypt("same")).not.toBe(secrets.encrypt("same"));
  });

  it.each([
    ["nothing", ""],
    ["another version", "v2:AAAAAAAAAAAAAAAA:AAAAAAAAAAAAAAAAAAAAAA=="],
    ["a short nonce", "v1:AAAA:AAAAAAAAAAAAAAAAAAAAAA=="],
    ["no tag", "v1:AAAAAAAAAAAAAAAA:AAAA"],
    ["a damaged value", PULUMI_VALUE],
  ])("refuse %s", async (_what, ciphertext) => {
    const secrets = await sharedSecrets();
    expect(() => secrets.decrypt(ciphertext)).toThrow(DecryptionError);
  });

  it("refuse other providers and salts by name", async () => {
    const refused = (await sharedSecrets()).forProvider({ type: "service", state: {} });
    await expect(refused).rejects.toThrow(UnsupportedSecretsError);
    await expect(refused).rejects.toThrow(/"service".*change-secrets-provider/);
    await expect(PassphraseSecrets.fromSalt("v7:x", "pw")).rejects.toThrow(UnsupportedSecretsError);
  });

  it("serve another salt of the same passphrase", async () => {
    const secrets = await sharedSecrets();
    expect(await secrets.forProvider(secrets.provider)).toBe(secrets);
    const other = await PassphraseSecrets.create(passphrase);
    const sibling = await secrets.forProvider(other.provider);
    expect(sibling.decrypt(other.encrypt("x"))).toBe("x");
  });
});

describe("the passphrase of the environment", () => {
  it("is the variable, else the trimmed file, else none", async () => {
    const file = join(await temporaryFolder(), "passphrase");
    await writeFile(file, "  from file \n");
    expect(await passphraseFromEnvironment({ PULUMI_CONFIG_PASSPHRASE: "" })).toBe("");
    expect(await passphraseFromEnvironment({ PULUMI_CONFIG_PASSPHRASE_FILE: file })).toBe("from file");
    expect(await passphraseFromEnvironment({})).toBeUndefined();
    const missing = passphraseFromEnvironment({ PULUMI_CONFIG_PASSPHRASE_FILE: `${file}.not` });
    await expect(missing).rejects.toThrow(MissingPassphraseError);
  });
});
