import { expect } from "vitest";
import type { ChannelAdapterCase } from "./case.ts";
import { chapter } from "./check.ts";
import { LONG_TEXT } from "./outbound.ts";

const LINES = Array.from({ length: 800 }, (_, at) => `  ${at}. a line  of\n\tsome words\n`).join("\n");

const skipWithoutLimit = ({ maxPart }: { readonly maxPart?: number }) =>
  maxPart === undefined ? "the platform has no limit" : undefined;

const measureText = ({ lengthOf = (text) => text.length }: Pick<ChannelAdapterCase, "lengthOf">, text: string) =>
  lengthOf(text);

export const splitting = chapter("splitting", {
  async "parts contain the whole text, and none is empty"({ given, open }) {
    const link = await open();
    const parts = link.split?.(LONG_TEXT) ?? [LONG_TEXT];
    const delivered = parts.join("").replaceAll(/\s/g, "");
    const whole = LONG_TEXT.replaceAll(/\s/g, "");
    if (given.maxParts === undefined) expect(delivered).toBe(whole);
    else {
      expect(parts.length).toBeLessThanOrEqual(given.maxParts);
      expect(whole.startsWith(delivered.replace(/…$/, ""))).toBe(true);
    }
    expect(parts.every((part) => part.trim() !== "")).toBe(true);
  },
  async "line breaks are preserved in parts"({ open }) {
    const link = await open();
    for (const part of link.split?.(LINES) ?? [LINES])
      if (!LINES.includes(part.replace(/…$/, "").trim())) throw new Error(`a part is not as it was written: ${part}`);
  },
  "no part is longer than the platform accepts": {
    skipped: skipWithoutLimit,
    async run({ given, open }) {
      const link = await open();
      for (const part of link.split?.(LONG_TEXT) ?? [LONG_TEXT])
        expect(measureText(given, part)).toBeLessThanOrEqual(given.maxPart as number);
    },
  },
  async "a short text is one part"({ open }) {
    const link = await open();
    expect(link.split?.("hello") ?? ["hello"]).toEqual(["hello"]);
  },
  "no character is split": {
    skipped: skipWithoutLimit,
    async run({ given, open }) {
      const link = await open();
      const family = "👩‍👩‍👧‍👦";
      const text = family.repeat(Math.ceil(((given.maxPart as number) * 2.5) / measureText(given, family)));
      for (const part of link.split?.(text) ?? [text]) expect(part.replaceAll(family, "").trim()).toBe("");
    },
  },
  "a split code block is closed and reopened": {
    skipped: skipWithoutLimit,
    async run({ given, open }) {
      const link = await open();
      const text = `before\n\n\`\`\`ts\n${"const a = 1;\n".repeat(Math.ceil((given.maxPart as number) / 5))}\`\`\`\n\nafter`;
      for (const part of link.split?.(text) ?? [text]) expect((part.match(/^```/gm) ?? []).length % 2).toBe(0);
    },
  },
});
