import { describe, expect, test } from "vitest";
import { createThinkTagParser } from "./think-tags.ts";

/** Returns the text and thinking of an answer in pieces of this length. */
function readPieces(text: string, piece = text.length): { readonly answer: string; readonly thought: string } {
  let [answer, thought] = ["", ""];
  const tags = createThinkTagParser(
    (more) => {
      answer += more;
    },
    (more) => {
      thought += more;
    },
  );
  for (let at = 0; at < text.length; at += piece) tags.write(text.slice(at, at + piece));
  tags.end();
  return { answer: answer, thought };
}

describe("an answer that begins with its thinking", () => {
  const text = "\n<think>First a < b, </then>\nsecond.</think>\n\nIt is <b>four</b>.";

  test("is separated wherever the pieces end", () => {
    for (let piece = 1; piece <= text.length; piece += 1) {
      expect(readPieces(text, piece)).toEqual({
        answer: "It is <b>four</b>.",
        thought: "First a < b, </then>\nsecond.",
      });
    }
  });

  test("is only thinking when it breaks off early", () => {
    expect(readPieces("<think>Let me see</th", 3)).toEqual({ answer: "", thought: "Let me see</th" });
  });
});

describe("an answer without thinking", () => {
  test.each(["hello", "  hello", "<think", "<thinking about it", "See <think>this</think>.", "<", ""])(
    "is shown as it is: %j",
    (text) => {
      for (const piece of [1, 2, 5, 100]) expect(readPieces(text, piece)).toEqual({ answer: text, thought: "" });
    },
  );

  test("is shown at once, except for a possible closing tag", () => {
    const written: string[] = [];
    const tags = createThinkTagParser(
      (more) => written.push(more),
      () => {},
    );
    for (const word of ["He", "llo <", "think>", " you"]) tags.write(word);
    expect(written).toEqual(["He", "llo ", "<think>", " you"]);
  });

  test.each([
    "Write `</think>` at the end.",
    "```\n<answer></think>\n```",
    'The tag "</think>" closes it.',
    "a < b </thin",
  ])("is shown as it is when it is about the tag: %j", (text) => {
    for (const piece of [1, 3, 100]) expect(readPieces(text, piece)).toEqual({ answer: text, thought: "" });
  });
});

describe("thinking with a closing tag only", () => {
  const text = "I should greet\n</think>\n\nHi, you & </b>";

  test("is withdrawn and becomes thinking, wherever the pieces end", () => {
    for (let piece = 1; piece <= text.length; piece += 1) {
      let [answer, thought] = ["", ""];
      const retract = () => {
        answer = "";
      };
      const tags = createThinkTagParser(
        (more) => {
          answer += more;
        },
        (more) => {
          thought += more;
        },
        { retract },
      );
      for (let at = 0; at < text.length; at += piece) tags.write(text.slice(at, at + piece));
      tags.end();
      expect({ answer: answer, thought }).toEqual({ answer: "Hi, you & </b>", thought: "I should greet\n" });
    }
  });

  test("is thinking from the start for a model known for it, and the answer when it never ends", () => {
    const all = (given: string) => {
      const written: string[] = [];
      const tags = createThinkTagParser(
        (more) => written.push(more),
        () => {},
        { beginsThinking: true },
      );
      for (const letter of given) tags.write(letter);
      const before = written.join("");
      tags.end();
      return [before, written.join("")];
    };
    expect(all("Hm</think> Hi")).toEqual(["Hi", "Hi"]);
    expect(all("<think>Hm</think> Hi")).toEqual(["Hi", "Hi"]);
    expect(all("Hi")).toEqual(["", "Hi"]);
  });
});

describe("thinking in the tags of other models", () => {
  test.each([
    "<thinking>a < b</thinking>\nHi",
    "<THINK>a < b</THINK>Hi",
    "[THINK]a < b[/THINK]Hi",
    "<thought>a < b</thought>\n\nHi",
    "<reasoning>a < b</reasoning>Hi",
    "<seed:think>a < b</seed:think>Hi",
    "◁think▷a < b◁/think▷Hi",
    "<think>a < b</think>\n</think>\nHi",
    "<think>a</think>\n\n<think> < b</think>\nHi",
  ])("is separated wherever the pieces end: %j", (text) => {
    for (let piece = 1; piece <= text.length; piece += 1)
      expect(readPieces(text, piece)).toEqual({ answer: "Hi", thought: "a < b" });
  });

  test.each(["<think>a</think>\n<b>Hi</b>", "<think>a</think><thin"])("remains part of the answer: %j", (text) => {
    for (const piece of [1, 2, 100])
      expect(readPieces(text, piece).answer).toBe(text.slice("<think>a</think>".length).trim());
  });

  test.each(["</thinking>", "</THINK>", "[/THINK]", "</seed:think>"])("is withdrawn by a single %s", (tag) => {
    let text = "";
    const tags = createThinkTagParser(
      (more) => {
        text += more;
      },
      () => {},
      {
        retract: () => {
          text = "";
        },
      },
    );
    for (const letter of `I should greet\n${tag}\n\nHi`) tags.write(letter);
    tags.end();
    expect(text).toBe("Hi");
  });
});
