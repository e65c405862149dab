import { describe, expect, test } from "vitest";
import { Redaction } from "../operations/host.ts";
import { SecretBox } from "./secret-box.ts";
import { createSecrets } from "./secrets.ts";

function start() {
  const remembered = new Set<string>();
  const box: SecretBox = {
    seal: (secret, owner) => JSON.stringify([owner, secret]),
    open(sealed, owner) {
      const [given, secret] = JSON.parse(sealed);
      if (given !== owner) throw new Error(`sealed for ${given}`);
      return secret;
    },
  };
  const redaction: Redaction = {
    mask: (value) => value,
    toMaskedJson: JSON.stringify,
    remember: (secret) => void remembered.add(secret),
  };
  const services = new Map<unknown, unknown>([
    [SecretBox, box],
    [Redaction, redaction],
  ]);
  return { remembered, secrets: createSecrets({ get: (key) => services.get(key) as never }) };
}

describe("a secret", () => {
  test("is opened by its owner only, and only for the same destination", () => {
    const { secrets } = start();
    const sealed = secrets.of("channel:a:TOKEN", "https://one").seal("s3cret");
    expect(secrets.of("channel:a:TOKEN", "https://one").open(sealed)).toBe("s3cret");
    expect(() => secrets.of("channel:a:TOKEN", "https://two").open(sealed)).toThrow("sealed for");
    expect(() => secrets.of("channel:b:TOKEN", "https://one").open(sealed)).toThrow("sealed for");
    expect(() => secrets.of("channel:a:TOKEN").open(sealed)).toThrow("sealed for");
  });

  test("is masked from then on, whether it is stored or read, also without its scheme and decoded", () => {
    const { secrets, remembered } = start();
    secrets.of("a").seal("Bearer abc%20def");
    expect([...remembered]).toEqual(["Bearer abc%20def", "abc%20def", "Bearer abc def"]);
    const later = start();
    later.secrets.of("a").open(JSON.stringify(["a", "tok-1"]));
    expect([...later.remembered]).toEqual(["tok-1"]);
  });

  test("of several is masked by itself", () => {
    const { secrets, remembered } = start();
    const sealed = secrets.of("a").sealSeveral({ "headers.Key": "one-secret", url: "two-secret" });
    expect([...remembered]).toEqual(["one-secret", "two-secret"]);
    expect(secrets.of("a").openSeveral(sealed)).toEqual({ "headers.Key": "one-secret", url: "two-secret" });
  });
});

test("a value is encrypted whole, and only the secrets it names are masked", () => {
  const { secrets, remembered } = start();
  const signIn = { client: "console", tokens: { access: "at-secret", refresh: undefined } };
  const listSecrets = ({ tokens }: typeof signIn) => [tokens.access, tokens.refresh];
  const sealed = secrets.of("sign-in:far").sealValue(signIn, listSecrets);
  expect([...remembered]).toEqual(["at-secret"]);
  const later = start();
  expect(later.secrets.of("sign-in:far").openValue(sealed, listSecrets)).toEqual({
    client: "console",
    tokens: { access: "at-secret" },
  });
  expect([...later.remembered]).toEqual(["at-secret"]);
});
