import type { ChannelConfig } from "@parley/core";
import { describe, expect, test } from "vitest";
import { foldName, parseLine, stripFormatting } from "./line.ts";
import { decodeMessage, toLines } from "./message.ts";
import { readPassword, settings } from "./settings.ts";

const channel = { id: "net" } as ChannelConfig;
const decode = (text: string) => {
  const line = parseLine(text);
  return line && decodeMessage(channel, line, "Parley[1]");
};

describe("a line", () => {
  test("is parsed with its tags, its source and a last parameter of several words", () => {
    const line = parseLine("@msgid=a=b;+x=1;empty :ann!a@host PRIVMSG #room :two words: all");
    expect(line).toMatchObject({
      nick: "ann",
      isPerson: true,
      command: "PRIVMSG",
      params: ["#room", "two words: all"],
    });
    expect(Object.fromEntries(line?.tags ?? [])).toEqual({ msgid: "a=b", "+x": "1", empty: "" });
  });

  test("compares names case-insensitively, and never takes two for one", () => {
    expect(foldName("Ann[Away]")).toBe("ann[away]");
    expect(foldName("\u212aim")).not.toBe(foldName("Kim"));
  });

  test("loses its colours, and nothing else", () => {
    expect(stripFormatting("\u00034,12red\u0003 \u0002bold\u000f 42 \u001funder")).toBe("red bold 42 under");
  });
});

describe("in a channel", () => {
  test.each([
    ["Parley[1]: hello", true, "hello"],
    ["parley[1], hello", true, "hello"],
    ["@Parley[1] hello", true, "hello"],
    ["Parley[1]:", true, "Parley[1]:"],
    ["Parley[1] is slow today", false, "Parley[1] is slow today"],
    ["Parley[12]: hello", false, "Parley[12]: hello"],
    ["hello all", false, "hello all"],
  ])("'%s' is addressed to the bot: %s", (input, addressed, text) => {
    expect(decode(`:Ann!a@host PRIVMSG #Room :${input}`)).toMatchObject({
      addressed,
      text,
      conversation: { id: "#room", isGroup: true, title: "#Room" },
    });
  });
});

describe("a message", () => {
  test("has the server's id, which copies of it share", () => {
    expect(decode("@msgid=m1 :Ann!a@host PRIVMSG parley[1] :hello")).toMatchObject({ text: "hello", dedupeKey: "m1" });
  });

  test.each([
    ["a notice", ":Ann!a@host NOTICE Parley[1] :hello"],
    ["its own line", ":parley[1]!p@host PRIVMSG #room :hello"],
    ["a program's line", "@bot :Ann!a@host PRIVMSG Parley[1] :hello"],
    ["a program's question", ":Ann!a@host PRIVMSG Parley[1] :\u0001VERSION\u0001"],
    ["an action", ":Ann!a@host PRIVMSG Parley[1] :\u0001ACTION waves\u0001"],
    ["a server's line", ":irc.example.org PRIVMSG Parley[1] :hello"],
    ["a line to operators of a channel", ":Ann!a@host PRIVMSG @#room :hello"],
    ["nothing but formatting", ":Ann!a@host PRIVMSG Parley[1] :\u0002\u000f"],
  ])("is ignored: %s", (_, line) => {
    expect(decode(line)).toBeUndefined();
  });
});

test("an answer is sent line by line, without formatting and blank lines", () => {
  expect(toLines("**Bold** and [a](https://x.y)\n- item")).toEqual(["Bold and a (https://x.y)", "• item"]);
  expect(toLines("One:\n\n```ts\nconst a = 1;\n```\n  indented\n")).toEqual(["One:", "const a = 1;", "  indented"]);
});

test("a character that is longer than a line is split like other text", () => {
  const long = `\u{1f600}${"\u0301".repeat(500)}`;
  const lines = toLines(`see ${long}`);
  expect(lines.map((line) => Buffer.byteLength(line)).every((size) => size <= 324)).toBe(true);
  expect(lines.join("")).toBe(`see${long}`);
});

test("no password is sent over an unencrypted connection", () => {
  const secret = () => "secret";
  const config = (server: string) => settings.validate({ server, nick: "parley", account: "bot" }).value;
  expect(() => readPassword(config("irc://irc.example.org"), secret)).toThrow("ircs://");
  expect(readPassword(config("irc://127.0.0.1"), secret)).toBe("secret");
});
