import type { Attachment, DirectMessage } from "@parley/core";
import { testTurn } from "@parley/testing";
import { describe, expect, it } from "vitest";
import { buildDeliveries, convertFilesToText, type FindLink, splitIntoDeliveries } from "./deliveries.ts";
import { addPauses } from "./parts/answer-parts.ts";

const to = { channelId: "c", sessionId: "c:1", conversation: { id: "1", isGroup: false } };
const stored: Attachment = { type: "file", url: "/static/files/abc-report.pdf", name: "report.pdf" };
const picture: Attachment = { type: "image", url: "https://pictures.test/cat.png", name: "cat.png" };
const nameless: Attachment = { type: "audio", url: "/static/files/abc-a" };
const sticker: Attachment = { type: "sticker", url: "https://stickers.test/smile.png", name: "smile" };
const createMessage = (text: string, ...attachments: Attachment[]): DirectMessage => ({ ...to, text, attachments });

describe("delivery to a channel that takes no files", () => {
  it.each([
    [
      "a stored file is its name: nobody there can open its address",
      createMessage("", stored),
      createMessage("[file: report.pdf]"),
    ],
    [
      "a file at a public address is its name and the address",
      createMessage("", picture),
      createMessage("[image: cat.png] https://pictures.test/cat.png"),
    ],
    ["a file without a name is its kind", createMessage("", nameless), createMessage("[audio]")],
    [
      "files stand below what is said, in their order",
      createMessage("Here:", stored, nameless),
      createMessage("Here:\n[file: report.pdf]\n[audio]"),
    ],
    [
      "a sticker that the platform shows stays what it is",
      createMessage("Hi", sticker, stored),
      createMessage("Hi\n[file: report.pdf]", sticker),
    ],
    ["a text stays what it is", createMessage("Hi"), createMessage("Hi")],
  ])("%s", (_what, message, expected) => {
    expect(convertFilesToText(message, false, () => ({ showsSticker: () => true }))).toEqual(expected);
  });
});

it("leaves a message to a channel with files as it is", () => {
  const message = createMessage("Here:", stored, sticker);
  expect(convertFilesToText(message, true, () => undefined)).toEqual(message);
});

it.each([
  ["takes no files and shows no stickers", false, undefined],
  ["takes no files and says nothing of stickers", false, {}],
  ["takes files and shows no stickers", true, { showsSticker: () => false }],
])("leaves a sticker out of a message to a channel that %s", (_what, supportsFiles, link) => {
  expect(convertFilesToText(createMessage("Hi", sticker), supportsFiles, () => link)).toEqual(createMessage("Hi"));
});

describe("an answer in sentences", () => {
  const NOW = 1_000;
  const build = (
    text: string,
    {
      attachments = [],
      isGroup = false,
      draft,
      link = {},
      isWhole = false,
    }: {
      readonly attachments?: readonly Attachment[];
      readonly isGroup?: boolean;
      readonly draft?: string;
      readonly isWhole?: boolean;
      readonly link?: ReturnType<FindLink>;
    } = {},
  ) => {
    const turn = testTurn({
      inbound: {
        ...to,
        conversation: { id: "1", isGroup },
        source: "c",
        sender: { id: "eve", name: "", isAdmin: false },
      },
      session: { id: "c:1", reply_style: "sentences" },
      replies: [{ id: "msg_1", kind: "normal", text, attachments, isWhole }],
    });
    const deliveries = buildDeliveries(turn, draft, { link: () => link, nowMs: NOW, cutReply: "" });
    return deliveries.map(({ message, nextMs, laterPart }) => [message.text, nextMs - NOW, laterPart?.from]);
  };

  it("has pauses as long as a person writes, at most six seconds, and its pictures last", () => {
    const long = `La ${"la ".repeat(60)}la.`;
    expect(build(`Yes. I was. ${long}`, { attachments: [picture] })).toEqual([
      ["Yes.", 0, undefined],
      ["I was.", 600 + 40 * 6, 5],
      [long, 840 + 6_000, 12],
      ["", 6_840 + 600, 12 + long.length],
    ]);
  });

  it("has five messages at most, pictures included", () => {
    const text = "One. Two. Three. Four. Five. Six.";
    expect(build(text)).toHaveLength(5);
    expect(build(text, { attachments: [picture, stored] })).toHaveLength(5);
    expect(build(text, { attachments: [picture, stored, picture, stored] }).map(([one]) => one)).toEqual([
      text,
      "",
      "",
      "",
      "",
    ]);
  });

  it.each([
    ["people saw it while it was written", { draft: "42" }],
    ["it is also spoken", { isWhole: true }],
    ["it is the response to a request", { link: { sendsWhole: true } }],
    ["a sentence is too long for the platform", { link: { split: (text: string) => text.match(/.{1,3}/g) ?? [] } }],
  ])("has no pauses where %s", (_why, options) => {
    expect(build("Yes. I was.", options).map(([, pause, from]) => [pause, from])).not.toContainEqual([840, 5]);
  });

  it("is stopped by the same person in a group, by anybody in private", () => {
    const stoppedBy = (isGroup: boolean) =>
      addPauses(
        splitIntoDeliveries("t", 0, { ...createMessage("a", picture) }, () => undefined, 0),
        {
          parts: [],
          textLength: 1,
          answerId: "msg_1",
          inbound: { conversation: { id: "1", isGroup }, sender: { id: "eve", name: "", isAdmin: false } },
        },
      ).map(({ laterPart }) => laterPart?.stoppedBy);
    expect([stoppedBy(true), stoppedBy(false)]).toEqual([
      [undefined, "eve"],
      [undefined, ""],
    ]);
  });
});
