import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Attachment, Channels, Files, Gateway, type Message } from "@parley/core";
import {
  IMABOT_APP,
  IMC_APP,
  type ImaBotServer,
  type ImaBridge,
  type ImbServer,
  type ImcServer,
  type ModelServer,
  type Receiver,
  startImaBotServer,
  startImaBridge,
  startImbServer,
  startImcServer,
  startModelServer,
  startReceiver,
} from "@parley/simulators";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { OGG, PDF, PNG, readPictures } from "../harness/files/sample-files.ts";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

/** Enables sending files, which presets do not. */
const FILES = { capabilities: { supports_file_send: true } };
const QUICK = "[plugin.files]\nfetch_timeout_s = 4\n";

let models: ModelServer;
let imb: ImbServer;
let imc: ImcServer;
let bot: ImaBotServer;
let shop: Receiver;
let ima: ImaBridge;
let parley: Parley;
let api: Client;

beforeAll(async () => {
  models = await startModelServer();
  imb = await startImbServer();
  imc = await startImcServer();
  bot = await startImaBotServer();
  shop = await startReceiver();
  ima = await startImaBridge();
  parley = await startParley({
    config: QUICK,
    env: {
      IMB_BOT_TOKEN: "42:secret",
      IMB_WEBHOOK_SECRET: "imb-secret",
      IMABOT_APP_SECRET: IMABOT_APP.secret,
      IMC_APP_SECRET: IMC_APP.secret,
      IMC_ENCRYPT_KEY: "key",
      IMC_VERIFICATION_TOKEN: "vt",
    },
  });
  api = await parley.signIn();
  await useModel(api);
  await api.put("/api/settings", { gateway: { allow_private_outbound: true } });
  await api.post("/api/channels/presets/imB", {
    transport: "webhook",
    config: { api_base: imb.address, paced: false, burst: "off" },
    ...FILES,
  });
  await waitUntilOpen("imB");
  await api.post("/api/channels/presets/imC", {
    config: { app_id: IMC_APP.id, api_base: imc.address, burst: "off" },
    ...FILES,
  });
  await waitUntilOpen("imC");
  imc.useWebhook({
    url: `${parley.address}/api/channels/imC/imC/webhook`,
    encryptKey: "key",
    verificationToken: "vt",
  });
  await api.put("/api/channels/imAbot", { config: { app_id: IMABOT_APP.id, api_base: bot.address, burst: "off" } });
  await api.post("/api/channels/imAbot/toggle", { enabled: true });
  await vi.waitFor(() => expect(parley.host.get(Channels).status("imAbot").connected).toBe(true), 5_000);
  await api.post("/api/channels", {
    id: "shop",
    name: "shop",
    type: "custom",
    config: { auth: { type: "none" }, outbound_url: shop.address },
  });
  await waitUntilOpen("shop");
  shop.useWebhook({ url: `${parley.address}/api/gateway/shop/webhook`, headers: {} });
  await api.put("/api/channels/imA", { config: { ws_uri: ima.address, burst: "off" } });
  await api.post("/api/channels/imA/toggle", { enabled: true });
  await ima.up();
  const secret_token = "imb-secret";
  imb.useWebhook({ url: `${parley.address}/api/channels/imB/imB/webhook`, secret_token });
});
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  for (const one of [imb, imc, bot, shop, ima, models]) await one[Symbol.asyncDispose]();
});

async function useModel(client: Client): Promise<void> {
  const fields = { name: "m", model: "m", base_url: models.baseUrl };
  const { id } = await client.post<{ id: string }>("/api/ai-models", fields);
  await client.post(`/api/ai-models/${id}/apply`, {});
}
const waitUntilOpen = (id: string) => vi.waitFor(() => expect(parley.host.get(Channels).link(id)).toBeDefined());
const waitUntilIdle = () => parley.host.get(Gateway).idle();
const history = async (id: string) =>
  (await api.get<{ items: readonly Message[] }>(`/api/sessions/${id}/messages`)).items;
const getUserMessages = async (id: string) => (await history(id)).filter(({ role }) => role === "user");
const getBytes = async (attachment: Attachment | undefined) => {
  const headers = { authorization: `Bearer ${api.token}` };
  return Buffer.from(await (await fetch(`${parley.address}${attachment?.url}`, { headers })).arrayBuffer());
};
/** Sends a stored file to a conversation, as tools and operators do. */
const send = async (channelId: string, conversation: string, name: string, bytes: Buffer) => {
  const { url } = await parley.host.get(Files).put(bytes, { name });
  await deliver(channelId, conversation, { type: "file", url, name });
};
const deliver = async (channelId: string, conversation: string, attachment: Attachment) => {
  await parley.host.get(Gateway).deliver({
    channelId,
    sessionId: `${channelId}:${conversation}`,
    conversation: { id: conversation, isGroup: false },
    text: "",
    attachments: [attachment],
  });
  await waitUntilIdle();
};

describe("on imB", () => {
  const photo = (id: string, more: object = {}) => ({
    text: undefined,
    photo: [
      { file_id: "small", file_size: 10 },
      { file_id: id, file_size: PNG.length },
    ],
    ...more,
  });

  test("a photo is stored with its message and shown to a model that sees", async () => {
    imb.files.set("p1", PNG);
    const asked = models.nextRequest();
    await imb.say("41", "", photo("p1", { caption: "what is this?" }));
    expect(readPictures(await asked)).toEqual([PNG]);
    await waitUntilIdle();
    const [message] = await getUserMessages("imB:41");
    expect(message?.content).toBe("what is this?");
    expect(message?.attachments).toEqual([
      {
        type: "image",
        url: expect.stringMatching(/^\/static\/files\//),
        name: "image.png",
        mime_type: "image/png",
        size: PNG.length,
      },
    ]);
    expect(await getBytes(message?.attachments[0])).toEqual(PNG);
    expect(imb.shown("41")).toHaveLength(1);
  });

  test("a voice message, a document and a sticker are recognised by their type", async () => {
    for (const [id, bytes] of [
      ["v", OGG],
      ["d", PDF],
      ["s", PNG],
    ] as const)
      imb.files.set(id, bytes);
    await imb.say("42", "", { text: undefined, voice: { file_id: "v", mime_type: "audio/ogg" } });
    await imb.say("42", "", { text: undefined, document: { file_id: "d", file_name: "../report.pdf" } });
    await imb.say("42", "", { text: undefined, sticker: { file_id: "s", emoji: "😀" } });
    await waitUntilIdle();
    const messages = await getUserMessages("imB:42");
    expect(messages.map(({ content, attachments: [one] }) => [content, one?.type, one?.name])).toEqual([
      ["", "audio", "audio.ogg"],
      ["", "file", "_report.pdf"],
      ["[sticker 😀]", "sticker", "sticker.png"],
    ]);
  });

  test("a model that rejects pictures is called again without, and then never with them", async () => {
    imb.files.set("p2", PNG);
    models.script.push({ kind: "status", status: 400, message: "image input is not supported" });
    const from = models.requests.length;
    await imb.say("43", "", photo("p2", { caption: "look" }));
    await waitUntilIdle();
    await imb.say("43", "again");
    await waitUntilIdle();
    expect(models.requests.slice(from).map((one) => readPictures(one).length)).toEqual([1, 0, 0]);
    expect(imb.shown("43")).toHaveLength(2);
    await useModel(api);
  });

  test.each([
    ["too large", { file_size: 21 * 1024 * 1024 }, Buffer.from("x"), "it is too large"],
    ["larger than it said", {}, Buffer.alloc(21 * 1024 * 1024), "it is too large"],
    ["never ends", {}, "hang", "it took too long"],
    ["is not there", {}, undefined, "it could not be fetched"],
  ] as const)("a file that is %s becomes a note, and the turn continues", async (name, more, bytes, reason) => {
    const chat = String(440 + name.length);
    const id = name.replaceAll(" ", "-");
    if (bytes) imb.files.set(id, bytes);
    await imb.say(chat, "", {
      text: undefined,
      caption: "read it",
      document: { file_id: id, file_name: "big.bin", ...more },
    });
    await waitUntilIdle();
    const [message] = await getUserMessages(`imB:${chat}`);
    expect(message).toMatchObject({ content: `read it\n[file big.bin: not received, ${reason}]`, attachments: [] });
    expect(imb.shown(chat)).toHaveLength(1);
  });

  test.each([
    ["cat.png", PNG, "sendPhoto", "photo"],
    ["voice.ogg", OGG, "sendVoice", "voice"],
    ["report.pdf", PDF, "sendDocument", "document"],
  ] as const)("%s is uploaded with its type", async (name, bytes, method, field) => {
    await send("imB", "45", name, bytes);
    const sent = imb.messages.findLast(({ chat }) => chat === 45);
    expect(sent?.file).toMatchObject({ field, name });
    expect(sent?.file?.bytes.equals(bytes)).toBe(true);
    expect(imb.calls.at(-1)?.method).toBe(method);
  });

  test.each([
    ["a.gif", "image/gif", "sendAnimation", "animation"],
    ["a.png", "image/png", "sendPhoto", "photo"],
  ])("a remote picture is sent by URL, and %s with its type", async (name, mime_type, method, field) => {
    const url = `https://pictures.example/${name}`;
    await deliver("imB", "47", { type: "sticker", url, mime_type });
    expect(imb.calls.at(-1)).toMatchObject({ method, body: { chat_id: 47, [field]: url } });
  });

  test("a picture that the platform rejects is sent as a document", async () => {
    const description = "Bad Request: PHOTO_INVALID_DIMENSIONS";
    imb.faults.push({ method: "sendPhoto", fault: { kind: "error", code: 400, description } });
    await send("imB", "46", "wide.png", PNG);
    expect(imb.messages.findLast(({ chat }) => chat === 46)?.file).toMatchObject({
      field: "document",
      name: "wide.png",
    });
  });
});

describe("an album on imB", () => {
  const picture = (id: string, more: object = {}) => ({
    text: undefined,
    media_group_id: "album-1",
    photo: [{ file_id: id, file_size: PNG.length }],
    ...more,
  });

  test("of three photos is one turn and one answer", async () => {
    for (const id of ["a1", "a2", "a3"]) imb.files.set(id, PNG);
    const asked = models.nextRequest();
    await imb.say("51", "", picture("a1"));
    await imb.say("51", "", picture("a2", { caption: "which one?" }));
    await imb.say("51", "", picture("a3"));
    expect(readPictures(await asked)).toHaveLength(3);
    await waitUntilIdle();
    const messages = await getUserMessages("imB:51");
    expect(messages.map(({ content, attachments }) => [content, attachments.length])).toEqual([["which one?", 3]]);
    expect(imb.shown("51")).toHaveLength(1);
  });

  test("in a group is addressed to the bot by its caption", async () => {
    for (const id of ["g1", "g2"]) imb.files.set(id, PNG);
    await imb.say("-52", "", picture("g1", { media_group_id: "album-2" }));
    const caption_entities = [{ type: "mention", offset: 0, length: 11 }];
    await imb.say(
      "-52",
      "",
      picture("g2", { media_group_id: "album-2", caption: "@parley_bot look", caption_entities }),
    );
    await waitUntilIdle();
    const [message] = await getUserMessages("imB:-52");
    expect(message).toMatchObject({ content: "look", attachments: [{ type: "image" }, { type: "image" }] });
    expect(imb.shown("-52")).toHaveLength(1);
  });

  test("leaves messages before and after it to their own turns", async () => {
    imb.files.set("b1", PNG);
    await imb.say("53", "before");
    await imb.say("53", "", picture("b1", { media_group_id: "album-3" }));
    await imb.say("53", "after");
    await waitUntilIdle();
    expect((await getUserMessages("imB:53")).map(({ content, attachments }) => [content, attachments.length])).toEqual([
      ["before", 0],
      ["", 1],
      ["after", 0],
    ]);
    expect(imb.shown("53")).toHaveLength(3);
  });
});

describe("on imC", () => {
  const content = (value: object) => ({ content: JSON.stringify(value) });

  test("a picture and a file are stored with their messages", async () => {
    imc.files.set("img_1", PNG);
    imc.files.set("file_1", PDF);
    const asked = models.nextRequest();
    await imc.say("oc_1", "", { message_type: "image", ...content({ image_key: "img_1" }) });
    expect(readPictures(await asked)).toEqual([PNG]);
    await imc.say("oc_1", "", { message_type: "file", ...content({ file_key: "file_1", file_name: "r.pdf" }) });
    await waitUntilIdle();
    const messages = await getUserMessages("imC:oc_1");
    expect(messages.map(({ attachments: [one] }) => [one?.type, one?.name])).toEqual([
      ["image", "image.png"],
      ["file", "r.pdf"],
    ]);
    expect(await getBytes(messages[1]?.attachments[0])).toEqual(PDF);
  });

  test("pictures within a text are attached to it", async () => {
    imc.files.set("img_2", PNG);
    const lines = [
      [
        { tag: "text", text: "see " },
        { tag: "img", image_key: "img_2" },
      ],
    ];
    await imc.say("oc_2", "", { message_type: "post", ...content({ title: "", content: lines }) });
    await waitUntilIdle();
    expect((await getUserMessages("imC:oc_2"))[0]).toMatchObject({ content: "see", attachments: [{ type: "image" }] });
  });

  test("a file that the platform does not return becomes a note", async () => {
    await imc.say("oc_3", "", { message_type: "audio", ...content({ file_key: "gone" }) });
    await waitUntilIdle();
    expect((await getUserMessages("imC:oc_3"))[0]?.content).toBe("[audio: not received, it could not be fetched]");
  });

  test.each([
    ["cat.png", PNG, "image"],
    ["report.pdf", PDF, "file"],
    ["voice.ogg", OGG, "file"],
  ] as const)("%s is uploaded and sent by its key", async (name, bytes, field) => {
    await send("imC", "oc_4", name, bytes);
    const file = imc.sent.at(-1)?.file;
    expect(file?.field).toBe(field);
    expect(file?.bytes.equals(bytes)).toBe(true);
  });
});

describe("on imAbot", () => {
  const attachment = (name: string, content_type: string) => ({
    attachments: [{ content_type, filename: name, url: `${bot.address}/download/${name}` }],
  });

  test("a picture is stored with its message and shown to the model", async () => {
    bot.files.set("cat.png", PNG);
    const asked = models.nextRequest();
    await bot.say("private:U1", " look", attachment("cat.png", "image/png"));
    expect(readPictures(await asked)).toEqual([PNG]);
    await waitUntilIdle();
    const [message] = await getUserMessages("imAbot:private:U1");
    expect(message).toMatchObject({ content: "look", attachments: [{ type: "image", name: "cat.png" }] });
    expect(await getBytes(message?.attachments[0])).toEqual(PNG);
  });

  test("a picture is sent as rich media, and an unsupported file as its name", async () => {
    await send("imAbot", "private:U2", "cat.png", PNG);
    expect(bot.sent.at(-1)?.file?.equals(PNG)).toBe(true);
    await send("imAbot", "private:U2", "report.pdf", PDF);
    expect(bot.sent.at(-1)).toMatchObject({ text: "[file: report.pdf]" });
  });
});

describe("on a channel of its own protocol", () => {
  const withFile = (name: string, more: object = {}) => ({
    attachments: [{ type: "image", url: `${bot.address}/download/${name}`, ...more }],
  });

  test("a file is fetched from its address and stored", async () => {
    bot.files.set("shop.png", PNG);
    const asked = models.nextRequest();
    await shop.say("room-1", "look", withFile("shop.png", { name: "shop.png" }));
    expect(readPictures(await asked)).toEqual([PNG]);
    await waitUntilIdle();
    expect((await getUserMessages("shop:room-1"))[0]?.attachments).toMatchObject([{ type: "image", name: "shop.png" }]);
  });

  test.each([
    ["is not there", "none.png", {}, "it could not be fetched"],
    ["is too large", "large.png", { size: 30_000_000 }, "it is too large"],
  ])("a file that %s becomes a note", async (_, name, more, reason) => {
    await shop.say(`room-${name}`, "look", withFile(name, more));
    await waitUntilIdle();
    expect((await getUserMessages(`shop:room-${name}`))[0]?.content).toBe(`look\n[image: not received, ${reason}]`);
  });

  test("an address of this network is rejected unless an operator allows it", async () => {
    await api.put("/api/settings", { gateway: { allow_private_outbound: false } });
    await shop.say("room-2", "look", withFile("shop.png"));
    await waitUntilIdle();
    await api.put("/api/settings", { gateway: { allow_private_outbound: true } });
    expect((await getUserMessages("shop:room-2"))[0]?.content).toBe(
      "look\n[image: not received, its address is not allowed]",
    );
  });

  test("a file is sent as a link that needs no login and is valid for it alone", async () => {
    await send("shop", "room-3", "report.pdf", PDF);
    const posted = shop.posts.at(-1)?.body as { attachments: readonly { url: string; name: string }[] } | undefined;
    const sent = posted?.attachments[0];
    expect(sent?.name).toBe("report.pdf");
    const answer = await fetch(sent?.url ?? "");
    expect(Buffer.from(await answer.arrayBuffer()).equals(PDF)).toBe(true);
  });
});

describe("on imA", () => {
  /** Waits for replies: a socket has no acknowledgement, so a message is known to be stored once it is answered. */
  const waitForReplies = async (to: string, count: number) => {
    await ima.waitFor(() => ima.shown(to).length >= count);
    await waitUntilIdle();
  };
  const piece = (type: string, data: object) => ({ type, data });

  test("a picture is downloaded by its URL, or through the bridge without one", async () => {
    ima.files.set("a1.png", PNG);
    const asked = models.nextRequest();
    await ima.say("private:71", [piece("image", { file: "a1.png", url: `${ima.httpAddress}/download/a1.png` })]);
    expect(readPictures(await asked)).toEqual([PNG]);
    await ima.say("private:71", [piece("image", { file: "a1.png" }), piece("text", { text: "and this" })]);
    await waitForReplies("private:71", 2);
    const messages = await getUserMessages("imA:private:71");
    expect(messages.map(({ content, attachments: [one] }) => [content, one?.type, one?.name])).toEqual([
      ["", "image", "a1.png"],
      ["and this", "image", "a1.png"],
    ]);
    expect(await getBytes(messages[1]?.attachments[0])).toEqual(PNG);
  });

  test("a voice message and a file are downloaded through the bridge", async () => {
    ima.files.set("v1", OGG);
    ima.files.set("f-1", PDF);
    await ima.say("private:72", [piece("record", { file: "v1" })]);
    await ima.say("private:72", [piece("file", { file: "report.pdf", file_id: "f-1" })]);
    await waitForReplies("private:72", 2);
    const files = (await getUserMessages("imA:private:72")).map(({ attachments: [one] }) => one);
    expect(files.map((one) => one?.type)).toEqual(["audio", "file"]);
    expect(await getBytes(files[1])).toEqual(PDF);
  });

  test.each([
    ["hangs on", "slow", "hang", "it took too long"],
    ["does not know", "gone", undefined, "it could not be fetched"],
  ] as const)("a file that the bridge %s becomes a note", async (_, name, file, reason) => {
    if (file) ima.files.set(name, file);
    const chat = `private:73${name.length}${name.charCodeAt(0)}`;
    await ima.say(chat, [piece("text", { text: "look" }), piece("image", { file: name })]);
    await waitForReplies(chat, 1);
    expect((await getUserMessages(`imA:${chat}`))[0]?.content).toBe(`look\n[image ${name}: not received, ${reason}]`);
  });

  test("pictures and voice messages are sent as segments, other files as uploads", async () => {
    await send("imA", "private:74", "cat.png", PNG);
    const base64 = (bytes: Buffer) => `base64://${bytes.toString("base64")}`;
    expect(ima.sent.at(-1)?.segments).toEqual([{ type: "image", data: { file: base64(PNG) } }]);
    await send("imA", "private:74", "voice.ogg", OGG);
    expect(ima.sent.at(-1)?.segments).toEqual([{ type: "record", data: { file: base64(OGG) } }]);
    await send("imA", "private:74", "report.pdf", PDF);
    expect(ima.uploads).toEqual([{ to: "private:74", name: "report.pdf", bytes: PDF }]);
  });

  test("a bridge without file support gets the URL as text", async () => {
    ima.faults.push({ action: "upload_private_file", fault: { kind: "refuse", retcode: 1404 } });
    await send("imA", "private:75", "report.pdf", PDF);
    const [, link = ""] = /^report\.pdf: (http\S+)$/.exec(ima.sent.at(-1)?.text ?? "") ?? [];
    expect(Buffer.from(await (await fetch(link)).arrayBuffer()).equals(PDF)).toBe(true);
  });

  test("quoted and forwarded messages are described in words", async () => {
    await ima.say("private:76", "the first thing");
    await waitForReplies("private:76", 1);
    const reply = ima.sent.findLast(({ to }) => to === "private:76");
    await ima.say("private:76", [
      piece("reply", { id: String(reply?.message_id) }),
      piece("text", { text: "what did you mean?" }),
    ]);
    ima.files.set("x", PNG);
    ima.forwards.set("fw1", [
      { sender: { nickname: "Ann" }, message: [piece("text", { text: "shall we?" })] },
      {
        type: "node",
        data: { nickname: "Bob", content: [piece("text", { text: "yes" }), piece("image", { file: "x" })] },
      },
    ]);
    await ima.say("private:76", [piece("forward", { id: "fw1" })]);
    await waitForReplies("private:76", 3);
    expect((await getUserMessages("imA:private:76")).slice(1).map(({ content }) => content)).toEqual([
      `what did you mean?\n> Parley: ${reply?.text}`,
      "[forwarded messages]\nAnn: shall we?\nBob: yes [image x]",
    ]);
  });
});

describe("a restart", () => {
  const root = mkdtempSync(join(tmpdir(), "parley-files-"));
  const env = { IMB_BOT_TOKEN: "42:secret", IMB_WEBHOOK_SECRET: "imb-secret" };
  let service: Parley;
  const start = async () => {
    service = await startParley({ root, env, config: QUICK });
    const url = `${service.address}/api/channels/imB/imB/webhook`;
    await vi.waitFor(() => expect(service.host.get(Channels).link("imB")).toBeDefined());
    platform.useWebhook({ url, secret_token: "imb-secret" });
    return service.signIn();
  };
  const userMessages = async (client: Client, chat: string) =>
    (await client.get<{ items: readonly Message[] }>(`/api/sessions/imB:${chat}/messages`)).items.filter(
      ({ role }) => role === "user",
    );
  let platform: ImbServer;
  beforeAll(async () => {
    platform = await startImbServer();
    service = await startParley({ root, env, config: QUICK });
    const client = await service.signIn();
    await useModel(client);
    await client.post("/api/channels/presets/imB", {
      transport: "webhook",
      config: { api_base: platform.address, paced: false, burst: "off" },
    });
    await service[Symbol.asyncDispose]();
  });
  afterEach(() => service[Symbol.asyncDispose]());
  afterAll(async () => {
    await platform[Symbol.asyncDispose]();
    rmSync(root, { recursive: true, force: true });
  });

  test("during a model's answer downloads nothing twice", async () => {
    const client = await start();
    platform.files.set("r1", PNG);
    models.script.push({ kind: "hang" });
    const asked = models.nextRequest();
    await platform.say("61", "", { text: undefined, photo: [{ file_id: "r1" }] });
    await asked;
    await client.post("/api/gateway/worker/stop", { force: true });
    await service[Symbol.asyncDispose]();
    const again = models.nextRequest();
    const next = await start();
    await next.post("/api/gateway/worker/start", {});
    expect(readPictures(await again)).toEqual([PNG]);
    await service.host.get(Gateway).idle();
    expect((await userMessages(next, "61")).map(({ attachments }) => attachments.length)).toEqual([1]);
    expect(platform.calls.filter(({ method }) => method === "getFile")).toHaveLength(1);
    expect(platform.shown("61")).toHaveLength(1);
  });

  test("during an album results in one turn", async () => {
    await start();
    for (const id of ["r2", "r3"]) {
      platform.files.set(id, PNG);
      await platform.say("62", "", { text: undefined, media_group_id: "m", photo: [{ file_id: id }] });
    }
    await service[Symbol.asyncDispose]();
    const client = await start();
    await service.host.get(Gateway).idle();
    expect((await userMessages(client, "62")).map(({ attachments }) => attachments.length)).toEqual([2]);
    expect(platform.shown("62")).toHaveLength(1);
  });
});
