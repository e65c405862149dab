import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createVapidHeader, loadVapidPair } from "./vapid.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-vapid-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("the key pair is created once, readable by its owner only", () => {
  const file = join(folder, "keys", "vapid.json");
  const { publicKey } = loadVapidPair(file);
  expect(Buffer.from(publicKey, "base64url")).toHaveLength(65);
  expect(loadVapidPair(file).publicKey).toBe(publicKey);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("an unusable key file disables push and is not replaced", () => {
  const unavailable = expect.objectContaining({ code: "unavailable" });
  writeFileSync(join(folder, "taken"), "");
  expect(() => loadVapidPair(join(folder, "taken", "vapid.json"))).toThrow(unavailable);
  const broken = join(folder, "vapid.json");
  for (const text of ["", "{", "{}", '{"kty":"EC","crv":"P-256","x":"a","y":"b","d":"c"}']) {
    writeFileSync(broken, text);
    expect(() => loadVapidPair(broken), text).toThrow(unavailable);
    expect(readFileSync(broken, "utf8")).toBe(text);
  }
});

test("a signature is valid for one push service and half a day", () => {
  const at = Date.parse("2026-01-06T10:15:00.000Z");
  const header = createVapidHeader(
    loadVapidPair(join(folder, "vapid.json")),
    new URL("https://push.example.org/a/b?c"),
    "mailto:a@b",
    at,
  );
  const claims = JSON.parse(Buffer.from(header.split(".")[1] ?? "", "base64url").toString());
  expect(claims).toEqual({ aud: "https://push.example.org", exp: at / 1_000 + 12 * 3_600, sub: "mailto:a@b" });
});
