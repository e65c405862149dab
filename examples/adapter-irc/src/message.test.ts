import type { ChannelConfig } from "@parley/core";
import { describe, expect, test } from "vitest";
import { foldName, parseLine, withoutFormatting } from "./line.ts";
import { decodeMessage, toLines } from "./message.ts";
import { createRegistration } from "./registration.ts";
import { passwordsOf, settings } from "./settings.ts";

const channel = { id: "net" } as ChannelConfig;
const self = { nick: "Parley[1]", fold: foldName };
const decode = (text: string) => {
  const line = parseLine(text);
  return line && decodeMessage(channel, line, self);
};

describe("a line", () => {
  test("is read with its tags, its source and a last parameter of several words", () => {
    const line = parseLine("@msgid=a\\:b;+x=1\\s2;empty :ann!a@host PRIVMSG #room :two words: all");
    expect(line).toMatchObject({ source: "ann!a@host", command: "PRIVMSG", params: ["#room", "two words: all"] });
    expect(Object.fromEntries(line?.tags ?? [])).toEqual({ msgid: "a;b", "+x": "1 2", empty: "" });
  });

  test("names are compared as the server does", () => {
    expect(foldName("Ann[Away]^")).toBe("ann{away}^");
    expect(foldName("Ann~")).toBe("ann^");
    expect(foldName("Ann[Away]", "ascii")).toBe("ann[away]");
  });

  test("loses its colours, and nothing else", () => {
    expect(withoutFormatting("\u00034,12red\u0003 \u0002bold\u000f 42 \u0004FF0000hex\u0004 \u001funder")).toBe(
      "red bold 42 hex under",
    );
  });
});

describe("in a channel", () => {
  test.each([
    ["Parley[1]: hello", true, "hello"],
    ["parley{1}, hello", true, "hello"],
    ["@Parley[1] hello", true, "hello"],
    ["Parley[1]:", true, "Parley[1]:"],
    ["Parley[1] is slow today", false, "Parley[1] is slow today"],
    ["Parley[12]: hello", false, "Parley[12]: hello"],
    ["hello all", false, "hello all"],
  ])("'%s' is addressed to it: %s", (said, addressed, text) => {
    expect(decode(`:Ann!a@host PRIVMSG #Room :${said}`)).toMatchObject({
      addressed,
      text,
      conversation: { id: "#room", isGroup: true, title: "#Room" },
    });
  });
});

describe("what is said", () => {
  test("comes with the server's time, and an action with its person", () => {
    const line = "@time=2026-11-22T20:00:00.000Z;msgid=m1 :Ann!a@host PRIVMSG parley[1] :\u0001ACTION waves\u0001";
    expect(decode(line)).toMatchObject({
      text: "* Ann waves",
      platformTime: "2026-11-22T20:00:00.000Z",
      dedupeKey: "m1",
    });
  });

  test.each([
    ["a notice", ":Ann!a@host NOTICE Parley[1] :hello"],
    ["its own line", ":parley{1}!p@host PRIVMSG #room :hello"],
    ["a program's line", "@bot :Ann!a@host PRIVMSG Parley[1] :hello"],
    ["a program's question", ":Ann!a@host PRIVMSG Parley[1] :\u0001VERSION\u0001"],
    ["a server's line", ":irc.example.org PRIVMSG Parley[1] :hello"],
    ["a line to operators of a channel", ":Ann!a@host PRIVMSG @#room :hello"],
    ["nothing but formatting", ":Ann!a@host PRIVMSG Parley[1] :\u0002\u000f"],
  ])("%s is left alone", (_, line) => {
    expect(decode(line)).toBeUndefined();
  });
});

test("an answer goes out line by line, without marks of code blocks and without blank lines", () => {
  expect(toLines("One:\n\n```ts\nconst a = 1;\n```\n  indented\n")).toEqual(["One:", "const a = 1;", "  indented"]);
});

describe("signing in", () => {
  const config = (more: object = {}) =>
    settings.validate({ server: "ircs://irc.example.org", nick: "parley", account: "bot", ...more }).value;

  function registering(password: string | undefined) {
    const written: string[] = [];
    const write = (line: string) => void written.push(line);
    const hear = createRegistration({ config: config(), passwords: { account: password, server: undefined }, write });
    return (...lines: readonly string[]) => {
      const from = written.length;
      for (const text of lines) {
        const line = parseLine(text);
        if (line) hear(line);
      }
      return written.slice(from);
    };
  }

  test("asks for what the server offers in all its lines, and says who it is in pieces of 400", () => {
    const say = registering("p".repeat(295));
    expect(say(":s CAP * LS * :multi-prefix sasl=PLAIN,EXTERNAL", ":s CAP * LS :batch")).toEqual([
      "CAP REQ :batch sasl",
    ]);
    expect(say(":s CAP parley ACK :batch sasl")).toEqual(["AUTHENTICATE PLAIN"]);
    const [first, second, ...more] = say("AUTHENTICATE +");
    expect([first?.length, second, more]).toEqual(["AUTHENTICATE ".length + 400, "AUTHENTICATE +", []]);
    expect(say(":s 903 parley :done")).toEqual(["CAP END"]);
  });

  test("is not let in without the account it was given", () => {
    const say = registering("secret");
    say(":s CAP * LS :batch", ":s CAP parley ACK :batch");
    expect(() => say(":s 001 parley :Welcome")).toThrow("no SASL");
  });

  test("tries another nick while one is taken, but not for ever", () => {
    const say = registering(undefined);
    expect(say(":s 433 * parley :in use")).toEqual(["NICK parley_"]);
    expect(() => say(...Array.from({ length: 9 }, () => ":s 433 * parley :in use"))).toThrow("in use");
  });

  test("no password goes over a wire that others can read", () => {
    const secret = () => "secret";
    expect(() => passwordsOf(config({ server: "irc://irc.example.org" }), secret)).toThrow("ircs://");
    expect(passwordsOf(config({ server: "irc://127.0.0.1" }), secret).account).toBe("secret");
  });
});
