import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { AppError, type Files } from "@parley/core";
import { expect, it } from "vitest";
import { type MediaStore, readResult } from "./result-text.ts";

const { signal } = new AbortController();
const files = {
  put: async (content: Uint8Array) => ({ url: `/static/files/f${content.length}` }),
} as unknown as Pick<Files, "put">;
const toResultText = async (...args: Parameters<typeof readResult>) => (await readResult(...args)).text;
const toResultValue = async (...args: Parameters<typeof readResult>) => (await readResult(...args)).value;
const text = (content: CallToolResult["content"], keep: MediaStore = files) =>
  toResultText({ content }, "draw", keep, signal);

it("joins texts and removes terminal control codes", async () => {
  expect(
    await text([
      { type: "text", text: "a\u001b[2J" },
      { type: "text", text: "b\u200bc\u0007" },
    ]),
  ).toBe("a\nbc");
});

it("stores pictures and sounds and shows where they are", async () => {
  const data = Buffer.alloc(2048).toString("base64");
  const image = { type: "image", data, mimeType: "image/png" } as const;
  expect(await text([image])).toBe("[image, image/png, 2 KiB: kept as /static/files/f2048]");
  expect(await toResultText({ content: [image] }, "draw", undefined, signal)).toBe(
    "[image, image/png, 2 KiB: not kept]",
  );
  const full = {
    put: () => Promise.reject(new AppError("unavailable", "the disk is full")),
  } as unknown as typeof files;
  expect(await text([image, { type: "text", text: "drawn" }], full)).toContain("not kept, the disk is full]\ndrawn");
  const large = { type: "audio", data: Buffer.alloc(1_100_000).toString("base64"), mimeType: "audio/wav" } as const;
  expect(await text([large])).toMatch(/not kept\]$/);
});

it("returns stored pictures with their names, also those of a resource", async () => {
  const data = Buffer.alloc(2_000_000).toString("base64");
  const image = { type: "image", data, mimeType: "image/png" } as const;
  const inner = { type: "resource", resource: { uri: "file:///x.png", mimeType: "image/png", blob: data } } as const;
  const value = await toResultValue({ content: [image, inner] }, "draw", files, signal);
  const named = "[image, image/png, 1954 KiB: kept as /static/files/f2000000]";
  const picture = { type: "image", mimeType: "image/png", url: "/static/files/f2000000" };
  expect(value).toMatchObject({ parts: [{ type: "text", text: `${named}\n${named}` }, picture, picture] });
  expect(await toResultValue({ content: [image] }, "draw", undefined, signal)).toBe(
    "[image, image/png, 1954 KiB: not kept]",
  );
});

it("downloads nothing", async () => {
  const link = { type: "resource_link", uri: "https://evil.example/x", name: "x" } as const;
  const inner = { type: "resource", resource: { uri: "file:///x", text: "inside" } } as const;
  expect(await text([link, inner])).toBe("[a link to a resource, not fetched: https://evil.example/x]\ninside");
});

it("shows structured content when there is no text, and truncates long results", async () => {
  expect(await toResultText({ content: [], structuredContent: { a: 1 } }, "t", files, signal)).toBe('{"a":1}');
  expect((await text([{ type: "text", text: "y".repeat(200_000) }])).length).toBe(50_000);
});

it("truncates between two characters, because models reject half characters", async () => {
  expect(await text([{ type: "text", text: `a${"😀".repeat(30_000)}` }])).toBe(`a${"😀".repeat(24_999)}…`);
  expect((await text([{ type: "text", text: "half \ud83d" }])).isWellFormed()).toBe(true);
});
