import { type Attachment, Channels, definePlugin, Gateway, type Message, TurnStages } from "@parley/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";
import { createFakeChannel } from "../harness/plugins/fake-channel.ts";

const REPORT: Attachment = { type: "file", url: "/static/files/none-report.pdf", name: "report.pdf" };
const SMILE: Attachment = { type: "sticker", url: "https://stickers.test/smile.png", name: "smile" };

/** Answers with a file and a sticker, as tools and plugins may. */
const sending = definePlugin({
  id: "sending",
  register({ contribute }) {
    contribute(TurnStages, () => ({
      id: "sending.hang",
      phase: "decorate" as const,
      run: async (turn) => ({
        ...turn,
        replies: turn.replies.map((one) => ({ ...one, text: "Here it is.", attachments: [REPORT, SMILE] })),
      }),
    }));
  },
});

const fake = createFakeChannel();
/** A text-only platform whose adapter does not support stickers. */
const plain = createFakeChannel("plain", "natural", {}, false);
let parley: Parley;
let api: Client;

beforeAll(async () => {
  parley = await startParley({ plugins: [fake.plugin, plain.plugin, sending] });
  api = await parley.signIn();
  for (const id of ["fake", "plain"]) await api.post("/api/channels", { id, name: id, type: id });
});
afterAll(() => parley[Symbol.asyncDispose]());

async function allow(isAllowed: boolean): Promise<void> {
  await api.put("/api/channels/fake", { capabilities: { supports_file_send: isAllowed } });
  await expect.poll(() => parley.host.get(Channels).status("fake").connected).toBe(true);
}
const listSentTo = (group: string) =>
  fake.sent
    .filter(({ conversation }) => conversation.id === group)
    .map(({ text, attachments }) => [text, attachments.map(({ name }) => name)]);
async function answerIn(group: string): Promise<Message | undefined> {
  await fake.say(group, "send me the report");
  await parley.host.get(Gateway).idle();
  const { items } = await api.get<{ items: readonly Message[] }>(`/api/sessions/fake:group:${group}/messages`);
  return items.at(-1);
}

test("a file in an answer to a channel without files is a line of text; the stored message contains it", async () => {
  await allow(false);
  const stored = await answerIn("1");
  expect(listSentTo("1")).toEqual([
    ["Here it is.\n[file: report.pdf]", []],
    ["", ["smile"]],
  ]);
  expect(stored).toMatchObject({ content: "Here it is.", attachments: [{ name: "report.pdf" }, { name: "smile" }] });
  const { items } = await api.get<{ items: readonly { status: string }[] }>("/api/gateway/deliveries");
  expect(items.map(({ status }) => status)).toEqual(["delivered", "delivered"]);
});

test("a channel with file support gets the file", async () => {
  await allow(true);
  await answerIn("2");
  expect(listSentTo("2")).toEqual([
    ["Here it is.", []],
    ["", ["report.pdf"]],
    ["", ["smile"]],
  ]);
});

test("messages sent outside of a turn follow the same rule", async () => {
  const send = () =>
    parley.host.get(Gateway).deliver({
      channelId: "fake",
      sessionId: "fake:3",
      conversation: { id: "3", isGroup: true },
      text: "",
      attachments: [REPORT],
    });
  await allow(false);
  await send();
  await allow(true);
  await send();
  await expect
    .poll(() => listSentTo("3"))
    .toEqual([
      ["[file: report.pdf]", []],
      ["", ["report.pdf"]],
    ]);
});

test("a sticker is left out where people would read its address, also in what is sent without a turn", async () => {
  await plain.say("1", "hello");
  await parley.host.get(Gateway).idle();
  const deliver = (text: string) =>
    parley.host.get(Gateway).deliver({
      channelId: "plain",
      sessionId: "plain:2",
      conversation: { id: "2", isGroup: true },
      text,
      attachments: [SMILE],
    });
  await deliver("Look!");
  expect((await deliver("")).deliveryIds).toEqual([]);
  await expect
    .poll(() => plain.sent.map(({ text, attachments }) => [text, attachments]))
    .toEqual([
      ["Here it is.\n[file: report.pdf]", []],
      ["Look!", []],
    ]);
});
