import { systemClock } from "@parley/core";
import { createMemoryWindow } from "@parley/core/limits";
import { hashPassword } from "@parley/core/secrets";
import { expect, test } from "vitest";
import type { Publications, StoredPublication } from "./publications.ts";
import { createPublicationReader, FAILED_PASSWORD_WINDOW_MS } from "./reader.ts";

const snapshot = JSON.stringify({ messages: [], sender_avatar: "", sender_portrait: "" });

test("wrong passwords from very many addresses do not lock out readers with the right one", async () => {
  const passwordHash = await hashPassword("sesame");
  const stored = { publicId: "pub_1", passwordHash, updatedMs: 0, expiresMs: 1 } as StoredPublication;
  const publications = { find: async () => stored, readSnapshot: async () => snapshot, countView: () => undefined };
  const reading = createPublicationReader({
    publications: publications as unknown as Publications,
    files: () => undefined,
    clock: systemClock,
    failedPasswords: () => window,
  });
  const window = createMemoryWindow(FAILED_PASSWORD_WINDOW_MS, () => performance.now());
  // Attempts are counted when they arrive, before they are checked.
  const tries = Array.from({ length: 120 }, (_, at) => window.count(new Map(), [`name pub_1`, `10.0.0.${at} pub_1`]));
  await Promise.all(tries);
  const right = await reading.read({ publicId: "pub_1", address: "192.0.2.7", password: "sesame" });
  expect(right.ticket).not.toBe("");
  for (let at = 0; at < 5; at += 1)
    await expect(reading.read({ publicId: "pub_1", address: "192.0.2.8", password: "x" })).rejects.toMatchObject({
      code: "unauthorized",
    });
  await expect(reading.read({ publicId: "pub_1", address: "192.0.2.8", password: "sesame" })).rejects.toMatchObject({
    code: "rate_limited",
  });
  expect((await reading.read({ publicId: "pub_1", address: "192.0.2.7", password: "sesame" })).ticket).not.toBe("");
});
