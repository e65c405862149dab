import { splitMarkdown, toPlainText } from "@parley/core/markdown";
import { type ImcPostElement, parseHtml } from "@parley/simulators";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { formatText, splitParts, toHtml, toPartialText } from "../../adapters/imb/src/outbound/format-reply.ts";
import { toPost } from "../../adapters/imc/src/post.ts";
import { tokenize } from "../../core/src/markdown/parser.ts";
import { markdownTexts } from "./markdown-texts.ts";

const RUNS = { numRuns: 400 };
// Many texts, possibly on a busy machine.
vi.setConfig({ testTimeout: 240_000 });

/** Returns the visible text of Markdown, without white space, bullets, bars and addresses. */
function visibleIn(markdown: string): string {
  const counts: number[] = [];
  let text = "";
  for (const token of tokenize(markdown) ?? []) {
    if (token.type === "ordered_list_open") counts.push(Number(token.attrGet("start") ?? 1));
    if (token.type === "bullet_list_open") counts.push(Number.NaN);
    if (token.type.endsWith("_list_close")) counts.pop();
    if (token.type === "list_item_open") {
      const count = counts.pop() ?? Number.NaN;
      if (!Number.isNaN(count)) text += `${count}${token.markup}`;
      counts.push(count + 1);
    }
    if (token.type === "fence" || token.type === "code_block") text += token.content;
    for (const child of token.children ?? []) text += child.type === "image" ? textOfImage(child) : child.content;
  }
  return stripDecoration(text);
}

const textOfImage = ({ children, content }: { children: { content: string }[] | null; content: string }) =>
  children?.map((one) => one.content).join("") ?? content;

/** Removes the characters that stand for bullets, boxes, bars, rules and columns, and the addresses of links. */
const stripDecoration = (text: string) =>
  text.replaceAll(/ ?\((?:https:[^\s()]*(?:\(b\))?|\/static\/f)\)/g, "").replaceAll(/\[[ xX]\]|[\s•│—|☐☑-]/g, "");

describe("a Markdown text is shown with all text of its tokens", () => {
  test("as plain text", () => {
    fc.assert(
      fc.property(markdownTexts, (text) => {
        expect(stripDecoration(toPlainText(text))).toBe(visibleIn(text));
      }),
      RUNS,
    );
  });
  test("on imB, in HTML that the platform accepts", () => {
    fc.assert(
      fc.property(markdownTexts, (text) => {
        const html = toHtml(text);
        const parsed = html === undefined ? { text } : parseHtml(html);
        expect(parsed).toHaveProperty("text");
        expect(stripDecoration("text" in parsed ? parsed.text : "")).toBe(visibleIn(text));
      }),
      RUNS,
    );
  });
  test("on imC, in lines that the platform accepts", () => {
    fc.assert(
      fc.property(markdownTexts, (text) => {
        const lines: readonly (readonly ImcPostElement[])[] = toPost(text) ?? [];
        for (const line of lines) {
          expect(line.length).toBeGreaterThan(0);
          for (const element of line) expect(findProblem(element)).toBeUndefined();
        }
        if (lines.length === 0) return; // Sent as it was written.
        expect(stripDecoration(lines.map((line) => line.map((one) => one.text ?? "").join("")).join("\n"))).toBe(
          visibleIn(text),
        );
      }),
      RUNS,
    );
  });
});

function findProblem({ tag, text, href, style = [] }: ImcPostElement): string | undefined {
  if (tag === "hr") return undefined;
  if (typeof text !== "string") return "no text";
  if (tag === "a") return /^https?:/.test(href ?? "") ? undefined : "no address";
  if (text.includes("\n") && tag !== "code_block") return "a line end inside a line";
  const isStyled = style.every((one) => ["bold", "italic", "lineThrough"].includes(one));
  return ["text", "code_block"].includes(tag) && isStyled ? undefined : `a strange ${tag}`;
}

describe("a long Markdown text", () => {
  const read = (...texts: readonly string[]) => texts.map(toPlainText).join("\n").replaceAll(/[\s│]/g, "");

  test("is sent to imB in messages that the platform accepts and that together contain the whole text", () => {
    fc.assert(
      fc.property(fc.array(markdownTexts, { minLength: 1, maxLength: 12 }), (texts) => {
        const text = texts.join("\n\n");
        const parts = splitParts(text);
        for (const part of parts) {
          const { text: sent, parse_mode } = formatText(part);
          expect(sent.length).toBeLessThanOrEqual(4_096);
          if (parse_mode) expect(parseHtml(sent)).toHaveProperty("text");
        }
        expect(read(...parts)).toBe(read(text));
      }),
      { numRuns: RUNS.numRuns / 4 },
    );
  });

  test("is split by any measure of length", () => {
    fc.assert(
      fc.property(markdownTexts, fc.integer({ min: 64, max: 500 }), (text, limit) => {
        const getLength = (part: string) => Math.max(toHtml(part)?.length ?? 0, toPlainText(part).length);
        const parts = splitMarkdown(text, limit, getLength);
        for (const part of parts) {
          expect(part.trim()).not.toBe("");
          expect(Math.max(part.length, getLength(part))).toBeLessThanOrEqual(limit);
          expect(part.isWellFormed()).toBe(true);
        }
        expect(read(...parts)).toBe(read(text));
      }),
      RUNS,
    );
  });

  test("is shown during streaming as a message that the platform accepts", () => {
    fc.assert(
      fc.property(markdownTexts, fc.nat(), (text, length) => {
        const { text: sent, parse_mode } = formatText(toPartialText(text.slice(0, length % (text.length + 1))));
        expect(sent.length).toBeLessThanOrEqual(4_096);
        if (parse_mode) expect(parseHtml(sent)).toHaveProperty("text");
      }),
      RUNS,
    );
  });
});
