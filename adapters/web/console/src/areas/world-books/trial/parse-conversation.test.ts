import { describe, expect, it } from "vitest";
import { parseConversation, parseScene, splitByKeywords } from "./parse-conversation.ts";

describe("a pasted conversation", () => {
  it("is split by speaker, and lines without one continue the previous message", () => {
    const text = "User: hello\nAI: The road\nends here.\n\n用户：去酒馆\nMira: yes\nnote: this is text";
    expect(parseConversation(text, "Mira")).toEqual([
      { role: "user", content: "hello" },
      { role: "assistant", content: "The road\nends here." },
      { role: "user", content: "去酒馆" },
      { role: "assistant", content: "yes\nnote: this is text" },
    ]);
    expect(parseConversation("just a line")).toEqual([{ role: "user", content: "just a line" }]);
    expect(parseConversation(" \n")).toEqual([]);
  });

  it("has scene lines", () => {
    expect(parseScene("location: tavern\npeople: Ann, Bob\nnothing\n天气：雨")).toEqual({
      location: "tavern",
      people: ["Ann", "Bob"],
      天气: "雨",
    });
  });
});

describe("a text with highlights", () => {
  it("stays complete, and its keywords are highlighted, the longest first", () => {
    const pieces = splitByKeywords("The Tavern and the inn", ["tavern", "tav", "inn"]);
    expect(pieces.map(({ text }) => text).join("")).toBe("The Tavern and the inn");
    expect(pieces.filter(({ keyword: mark }) => mark).map(({ text, keyword: mark }) => [text, mark])).toEqual([
      ["Tavern", "tavern"],
      ["inn", "inn"],
    ]);
  });

  it("highlights given ranges, but none outside the text", () => {
    const messages = [
      { start: 0, end: 2, keyword: "a+" },
      { start: 1, end: 99, keyword: "x" },
    ];
    expect(splitByKeywords("aab", [], messages)).toEqual([
      { text: "aa", keyword: "a+", at: 0 },
      { text: "b", at: 2 },
    ]);
    expect(splitByKeywords("İx", ["x"])).toEqual([{ text: "İx", at: 0 }]);
  });
});
