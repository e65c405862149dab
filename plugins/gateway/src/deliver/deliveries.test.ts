import type { Attachment, DirectMessage } from "@parley/core";
import { describe, expect, it } from "vitest";
import { convertFilesToText } from "./deliveries.ts";

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
