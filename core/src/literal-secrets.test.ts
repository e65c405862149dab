import { describe, expect, test } from "vitest";
import {
  literalSecretsIn,
  maskLiteralSecrets,
  openLiteralSecrets,
  refuseMask,
  sealLiteralSecrets,
  secretsStaying,
  unmaskLiteralSecrets,
} from "./literal-secrets.ts";

const REQUEST = {
  url: "https://example.com/{{path}}?token=in-the-address-1&city={{city}}&api_key={{key}}&token=second-one-2",
  headers: { Authorization: "Bearer in-a-header-3", "X-Api-Key": "short", Accept: "text/plain", Cookie: "{{cookie}}" },
  query: { key: "in-the-query-4", keyword: "tea" },
  body: { login: { password: "in-the-body-5", user: "ann" }, list: [{ client_secret: "in-a-list-66" }] },
  method: "POST",
};
const SECRETS = {
  "url.token": "in-the-address-1",
  "url.token#2": "second-one-2",
  "headers.Authorization": "Bearer in-a-header-3",
  "headers.X-Api-Key": "short",
  "query.key": "in-the-query-4",
  "body.login.password": "in-the-body-5",
  "body.list.0.client_secret": "in-a-list-66",
};
const box = {
  seal: (text: string, owner: string) => Buffer.from(`${owner}\n${text}`).toString("base64"),
  open(sealed: string, owner: string) {
    const [of, ...text] = Buffer.from(sealed, "base64").toString().split("\n");
    if (of !== owner) throw new Error("of another record");
    return text.join("\n");
  },
};

describe("secrets that are written into a request", () => {
  test("are found by the name of their place; arguments are none", () => {
    expect(literalSecretsIn(REQUEST)).toEqual(SECRETS);
    expect(
      literalSecretsIn({ url: "https://example.com/?token=", headers: { Authorization: "Bearer {{t}}" } }),
    ).toEqual({});
  });

  test("are masked, and what is sent back masked is what was there", () => {
    const masked = maskLiteralSecrets(REQUEST);
    for (const secret of Object.values(SECRETS)) expect(JSON.stringify(masked)).not.toContain(secret);
    expect(masked.headers).toMatchObject({ Authorization: "****er-3", "X-Api-Key": "****", Accept: "text/plain" });
    expect(unmaskLiteralSecrets(masked, secretsStaying(REQUEST, masked), refuseMask)).toEqual(REQUEST);
  });

  test("go to no other server, and a mask of nothing is refused", () => {
    const masked = maskLiteralSecrets(REQUEST);
    const moved = { ...masked, url: masked.url.replace("example.com", "example.org") };
    expect(() => unmaskLiteralSecrets(moved, secretsStaying(REQUEST, moved), refuseMask)).toThrow("type it anew");
    const headers = { ...masked.headers, Authorization: "****else" };
    expect(() => unmaskLiteralSecrets({ ...masked, headers }, SECRETS, refuseMask)).toThrow("headers.Authorization");
    expect(() => unmaskLiteralSecrets(masked, {}, refuseMask)).toThrow("type it anew");
  });

  test("are stored encrypted for their record alone; what was stored before is read as it is", () => {
    const stored = sealLiteralSecrets(REQUEST, box, "one");
    for (const secret of Object.values(SECRETS)) expect(JSON.stringify(stored)).not.toContain(secret);
    expect(openLiteralSecrets(stored, box, "one")).toEqual(REQUEST);
    expect(() => openLiteralSecrets(stored, box, "other")).toThrow();
    expect(openLiteralSecrets(REQUEST, box, "one")).toEqual(REQUEST);
    const plain = { url: "https://example.com/" };
    expect(sealLiteralSecrets(plain, box, "one")).toEqual(plain);
  });
});
