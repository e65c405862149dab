import { describe, expect, it } from "vitest";
import { parseConversation, parseScene } from "./parse-conversation.ts";

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
