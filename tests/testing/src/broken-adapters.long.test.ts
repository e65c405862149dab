import { createHash, timingSafeEqual } from "node:crypto";
import {
  AppError,
  type ChannelAdapter,
  type ChannelIo,
  channelFileOf,
  channelFileUrl,
  DeliveryError,
  type ElementItem,
  formatPress,
  Joi,
  listPressable,
  type OutboundMessage,
  parsePress,
  type WebhookRequest,
} from "@parley/core";
import { openForSending, splitText } from "@parley/core/channels";
import { createRateLimiter, type RateLimiter, sendThrottled } from "@parley/core/limits";
import { afterAll, describe, expect, test, vi } from "vitest";
import {
  CHANNEL_ADAPTER_CHECKS,
  type ChannelAdapterCase,
  type MakeCase,
  type PlatformFault,
  runChannelCheck,
} from "./channel-adapter-contract.ts";

/** Flaws of an adapter, each with the check that finds it. */
const FLAWS = {
  "takes any setting": "accepts its own settings and rejects unknown ones",
  "explains nothing": "describes each of its settings",
  "wants a secret in its settings": "names secrets by variable, and never accepts one as a value",
  "claims what nobody knows": "declares only known capabilities",
  "has no transport": "names its type and at least one transport, each in one word",
  "lets everybody in while its variable is unset": "an unset secret admits nobody",
  "compares the beginning of a secret": "a wrong secret admits nobody, and a changed one applies at once",
  "keeps the secret it saw first": "a wrong secret admits nobody, and a changed one applies at once",
  "tells the secret in its refusal": "a rejection reveals nothing about the secret",
  "hands over its own messages": "the bot's own message is not accepted",
  "hands over what is no message": "an event other than a message is not accepted as one",
  "makes up what a payload lacks": "a payload with missing fields is rejected",
  "breaks on what a payload lacks": "a payload with missing fields is rejected",
  "takes any conversation for its own channel's":
    "a message is accepted once, in the channel's session, with its sender and text",
  "trims and lowers what is said": "inbound text is unchanged: other alphabets, capitals, emoji, markup",
  "cuts long texts": "a long inbound text is complete",
  "trusts the platform about administrators": "the platform makes nobody an administrator",
  "takes every mention for its own": "a group message without a mention does not address the bot",
  "makes up a key per delivery": "a redelivery has the same key, another message a different one",
  "uses one key for everything": "a redelivery has the same key, another message a different one",
  "counts its keys from the start": "a message has the same key after the channel is reopened",
  "says yes before the message is stored": "a message is acknowledged only once it is stored",
  "swallows a storing that failed": "a message that cannot be stored is not acknowledged, and the channel continues",
  "hangs up after a storing that failed":
    "a message that cannot be stored is not acknowledged, and the channel continues",
  "throws plain errors": "an unreachable conversation is a DeliveryError with a failure class",
  "sends what was given up": "a send that is aborted before its start sends nothing",
  "never splits": "no part is longer than the platform accepts",
  "cuts anywhere": "no character is split",
  "loses a letter at each cut": "parts contain the whole text, and none is empty",
  "waits for its own pace in its send": "a send is immediate while `pace` delays others",
  "lets everything through": "`pace` delays messages above the platform's limits",
  "waits on when it is called off": "an aborted wait for `pace` ends",
  "forgets that the platform asked to wait": "`pace` waits as long as the platform requests",
  "waits in its send and has no pace": "direct sends do not wait",
  "puts its token into the address of a file":
    "an inbound file is a reference without secrets, and the link fetches its bytes",
  "gives half a file": "an inbound file is a reference without secrets, and the link fetches its bytes",
  "sends a file's path": "a stored file is sent complete",
  "tries a file that is gone again": "a missing stored file is a permanent failure",
  "does not say how long to wait": "a throttled send reports the platform's delay",
  "takes a refusal for a hiccup": "a permanent rejection is distinguished from a temporary one",
  "tells the token when it fails": "no failure reveals a secret",
  "takes doubt for certainty": "a send that arrived unconfirmed is never reported as not sent",
  "promises a key it does not send": "a repeat behaves as the idempotency mode promises",
  "opens although it was given up": "an aborted open throws and leaves nothing open",
  "sends after its end": "after disposal sends fail without effect",
  "breaks when it is ended twice": "disposing twice has no further effect",
  "reports after its end": "after disposal no state is reported",
  "leaves a timer": "opening and disposing leave no socket and no timer",
  "shares the state of its links": "two channels of its type work side by side",
  "breaks on what cannot be read": "an unreadable payload ends neither the connection nor the channel",
  "takes the group for the sender": "the sender of a group message is the person, not the group",
  "drops what a message answers": "an inbound reply names the message that it answers",
  "drops what a text answers": "an outbound reply names the message that it answers",
  "ignores its signal": "a send that the platform never answers ends when it is aborted",
  "has no pace": "a link of a throttling platform has `pace`",
  "makes up a sender for each message": "a person has the same sender id in each message",
  "puts a group into its sender's session": "a group has one session, separate from private ones",
  "makes a conversation of each message": "a group has one session, separate from private ones",
  "has few keys": "twenty concurrent messages are twenty messages",
  "writes that a file has no text": "an inbound file is a reference without secrets, and the link fetches its bytes",
  "joins lines as it splits": "line breaks are preserved in parts",
  "joins lines as it sends": "line breaks are preserved when sending",
  "sends the first line only": "line breaks are preserved when sending",
  "cuts what it sends": "a part of the maximum length is sent complete",
  "breaks without its secret": "a send without its secrets fails with a DeliveryError",
  "forgets its key after a success": "a repeated successful send is shown once, also after the channel is reopened",
  "hides the buttons that it names": "the elements of the link are the features of the type",
  "takes a press for a message": "a press is handed over with its ids, once, and not as a message",
  "makes up a key per press": "a repeated press has the same key, another one a different key",
  "throws at a press without effect": "a press without effect is acknowledged",
} as const;
type Flaw = keyof typeof FLAWS;

const NO_HOLD: Pick<RateLimiter, "hold"> = { hold: () => {} };
const left: NodeJS.Timeout[] = [];
afterAll(() => left.forEach(clearInterval));

/** Creates cases of an in-memory platform and an adapter with at most one flaw. */
const paper =
  (flaw?: Flaw): MakeCase =>
  () =>
    createPaperCase(flaw);

/** State that a flawed adapter shares between its channels. */
let shared: { isClosed: boolean } | undefined;

function createPaperCase(flaw?: Flaw): ChannelAdapterCase {
  const has = (one: Flaw) => flaw === one;
  const shown: { key: string; readonly text: string }[] = [];
  const faults: PlatformFault[] = [];
  const waiting: ((text: string) => void)[] = [];
  const unheard: string[] = [];
  const given = new Map<string, Uint8Array>();
  const files: Uint8Array[] = [];
  let counter = 0;
  let repliedTo: string | undefined;
  let buttons: readonly ElementItem[] = [];
  let buttonsId = "";
  let isHanging = false;

  const deliver = ({ deliveryId, text, replyTo, elements = [] }: OutboundMessage, withKey: boolean) => {
    for (const { id, items } of listPressable(elements)) {
      buttonsId = id;
      buttons = items;
    }
    repliedTo = has("drops what a text answers") ? undefined : replyTo;
    if (withKey && shown.some(({ key }) => key === deliveryId)) return;
    shown.push({ key: deliveryId, text });
    const take = waiting.shift();
    if (take) take(text);
    else unheard.push(text);
  };
  const forget = (key: string) => {
    for (const one of shown) if (one.key === key) one.key = "";
  };
  const writtenAs = (text: string) => {
    if (has("joins lines as it sends")) return text.replaceAll("\n", " ");
    if (has("sends the first line only")) return text.split("\n")[0] ?? "";
    return has("cuts what it sends") ? text.slice(0, 60) : text;
  };
  const failed = (fault: PlatformFault | undefined, message: OutboundMessage, token: string) => {
    const text = has("tells the token when it fails") ? `refused: ${token}` : "refused";
    if (fault === "throttle") {
      const wait = has("does not say how long to wait") ? {} : { retryAfterMs: 1_000 };
      throw new DeliveryError("throttled", text, wait);
    }
    if (fault === "refuse")
      throw new DeliveryError(has("takes a refusal for a hiccup") ? "unavailable" : "permanent", text);
    if (fault === "auth") throw new DeliveryError("auth", text);
    if (fault === "fail") throw new DeliveryError("unavailable", text);
    if (fault !== "reset-after") return;
    deliver(message, !has("promises a key it does not send"));
    throw new DeliveryError(has("takes doubt for certainty") ? "not_sent" : "unavailable", "no answer");
  };
  const addressOf = (file: string, io: ChannelIo) =>
    has("puts its token into the address of a file")
      ? `https://paper.example/${io.secret("WORD")}/${file}`
      : channelFileUrl({ file });
  const sendFile = async ({ attachments: [attachment] }: OutboundMessage, io: ChannelIo) => {
    if (!attachment) return;
    try {
      const file = await openForSending(io.files, attachment.url);
      files.push(has("sends a file's path") ? Buffer.from(attachment.url) : await file.bytes());
    } catch (error) {
      throw has("tries a file that is gone again") ? new DeliveryError("unavailable", "not now") : error;
    }
  };
  let firstSecret: string | undefined;
  const isLetIn = (io: ChannelIo, variable: string, given: string): boolean => {
    const now = io.secret(variable);
    firstSecret ??= now;
    const wanted = has("keeps the secret it saw first") ? firstSecret : now;
    if (wanted === undefined) return has("lets everybody in while its variable is unset");
    if (has("compares the beginning of a secret")) return given.startsWith(wanted);
    const digest = (text: string) => createHash("sha256").update(text).digest();
    return timingSafeEqual(digest(given), digest(wanted));
  };
  const fields = {
    word_env: has("explains nothing")
      ? Joi.string().default("WORD")
      : Joi.string().default("WORD").description("Variable with the word"),
    ...(has("wants a secret in its settings") && { token: Joi.string().description("The token") }),
  };
  const settings = has("takes any setting") ? Joi.object(fields).unknown() : Joi.object(fields);
  const adapter: ChannelAdapter = {
    type: "paper",
    transports: has("has no transport") ? [] : ["webhook"],
    capabilities: has("claims what nobody knows") ? ({ supports_magic: true } as never) : {},
    settings,
    features: ["groups", "files_in", "files_out", "buttons"],
    idempotency: "native_key",
    async open(channel, io, signal) {
      if (!has("opens although it was given up")) signal.throwIfAborted();
      const state = { isClosed: false };
      shared ??= state;
      const life = has("shares the state of its links") ? shared : state;
      let openings = 0;
      let isHungUp = false;
      if (has("leaves a timer")) left.push(setInterval(() => {}, 1_000));
      const receive = async ({ headers, body, isVerified }: WebhookRequest) => {
        const variable = String(channel.config.word_env);
        if (isHungUp) throw new AppError("unavailable", "not here");
        if (!isVerified && !isLetIn(io, variable, headers["x-word"] ?? "")) {
          const hint = has("tells the secret in its refusal")
            ? `: not ${io.secret(variable)?.replace("another-", "")}`
            : "";
          throw new AppError("unauthorized", `refused${hint}`);
        }
        const event = readEvent(body, has("breaks on what cannot be read"));
        if (event.kind === "knock") return { body: {} };
        if (event.kind === "other" && !has("hands over what is no message")) return { body: {} };
        if (event.isOurs && !has("hands over its own messages")) return { body: {} };
        openings += 1;
        counter += 1;
        if (has("makes up what a payload lacks")) event.chat ??= "lobby";
        if (has("breaks on what a payload lacks")) event.chat.trim();
        const text = String(has("writes that a file has no text") ? event.text : (event.text ?? ""));
        const isGroup = event.chat === "group";
        const chat = has("makes a conversation of each message") && isGroup ? `group-${event.id}` : event.chat;
        const session = has("puts a group into its sender's session") ? "u1" : chat;
        const message = {
          channelId: channel.id,
          sessionId: `${has("takes any conversation for its own channel's") ? "other" : channel.id}:${session}`,
          conversation: { id: chat, isGroup },
          kind: "message" as const,
          sender: {
            id: has("takes the group for the sender")
              ? event.chat
              : has("makes up a sender for each message")
                ? `u${counter}`
                : "u1",
            name: "Ann",
            isAdmin: has("trusts the platform about administrators"),
          },
          text: has("trims and lowers what is said")
            ? text.toLowerCase().replaceAll("<", "")
            : has("cuts long texts")
              ? text.slice(0, 500)
              : text,
          attachments: event.file === undefined ? [] : [{ type: "file" as const, url: addressOf(event.file, io) }],
          addressed: event.chat !== "group" || event.mentioned === true || has("takes every mention for its own"),
          source: channel.id,
          platformMessageId: String(event.id),
          ...(event.replyTo !== undefined && !has("drops what a message answers") && { replyTo: event.replyTo }),
          dedupeKey: has("makes up a key per delivery")
            ? String(counter)
            : has("uses one key for everything")
              ? "key"
              : has("counts its keys from the start")
                ? `${event.id}:${openedCount - 1}`
                : String(event.id).slice(0, has("has few keys") ? 1 : undefined),
        };
        const press = event.press === undefined ? undefined : parsePress(String(event.press));
        if (press && !has("takes a press for a message")) {
          const dedupeKey = has("makes up a key per press") ? `press:${counter}` : `press:${event.id}`;
          const pressed = await io.press?.({ ...message, kind: "action", press, text: "", addressed: true, dedupeKey });
          if (pressed?.refusal !== undefined && has("throws at a press without effect"))
            throw new Error(pressed.refusal);
          return { body: { note: pressed?.refusal } };
        }
        if (has("says yes before the message is stored")) {
          void io.accept(message);
          return { body: {} };
        }
        try {
          await io.accept(message);
        } catch (error) {
          if (has("hangs up after a storing that failed")) isHungUp = true;
          if (!has("swallows a storing that failed")) throw error;
        }
        return { body: { openings } };
      };
      openedCount += 1;
      const pace = createRateLimiter({ burst: 3, everyMs: 300 });
      return {
        receive,
        elements: has("hides the buttons that it names") ? [] : ["buttons"],
        ...(!(has("waits in its send and has no pace") || has("has no pace")) && {
          async pace({ conversation }: OutboundMessage, waiting: AbortSignal) {
            const heeded = has("waits on when it is called off") ? new AbortController().signal : waiting;
            if (!has("lets everything through")) await pace.turn(conversation.id, heeded);
          },
        }),
        split(text) {
          if (has("never splits")) return [text];
          if (has("cuts anywhere")) return text.match(/[\s\S]{1,100}/g) ?? [];
          const parts = splitText(has("joins lines as it splits") ? text.replaceAll(/\s+/g, " ") : text, 100);
          return has("loses a letter at each cut") ? parts.map((part) => part.slice(0, -1) || part) : parts;
        },
        async send(message, sending) {
          if (life.isClosed && !has("sends after its end")) throw new DeliveryError("not_sent", "closed");
          if (!has("sends what was given up")) sending.throwIfAborted();
          if (isHanging) await waitForAbort(has("ignores its signal") ? new AbortController().signal : sending);
          if (message.conversation.id !== "u1") {
            if (has("throws plain errors")) throw new Error("no such chat");
            throw new DeliveryError("permanent", "no such chat");
          }
          if (has("waits for its own pace in its send") || has("waits in its send and has no pace"))
            await pace.turn(message.conversation.id, sending);
          const hold =
            has("forgets that the platform asked to wait") || has("lets everything through") ? NO_HOLD : pace;
          const sent = async () => failed(faults.shift(), message, io.secret("WORD") ?? "");
          await sendThrottled(hold, message.conversation.id, sent());
          await sendFile(message, io);
          if (has("breaks without its secret")) (io.secret("WORD") as string).trim();
          deliver({ ...message, text: writtenAs(message.text) }, !has("promises a key it does not send"));
          if (has("forgets its key after a success")) forget(message.deliveryId);
          return { quality: "confirmed" };
        },
        async fetchFile({ url }) {
          const bytes = given.get(channelFileOf(url)?.file ?? "") ?? Buffer.alloc(0);
          return { body: has("gives half a file") ? bytes.subarray(0, 8) : bytes };
        },
        async [Symbol.asyncDispose]() {
          if (life.isClosed && has("breaks when it is ended twice")) throw new Error("already closed");
          life.isClosed = true;
          if (has("reports after its end")) setImmediate(() => io.report({ connected: false }));
        },
      };
    },
  };
  let openedCount = 0;
  return {
    adapter,
    config: {},
    secrets: { WORD: "sesame" },
    inboundSecretSetting: "word_env",
    maxPart: 100,
    async connect(link) {
      const post = async (event: object) => {
        await link.receive?.({
          headers: { "x-word": "sesame" },
          body: Buffer.from(JSON.stringify(event)),
          address: "127.0.0.1",
        });
      };
      await post({ kind: "knock" });
      return {
        conversation: "u1",
        say: (id, text) => post({ id, text, chat: "u1" }),
        async heard() {
          const text = unheard.shift();
          return text ?? new Promise<string>((resolve) => waiting.push(resolve));
        },
        async sayFile(id, name, bytes) {
          given.set(name, bytes);
          await post({ id, file: name, chat: "u1" });
        },
        async press(id, label) {
          const item = buttons.find((one) => one.label === label);
          const press = formatPress(buttonsId, item?.id ?? "");
          await post({ id, press, text: press, chat: "u1" });
        },
        heardFile: async () => files.shift() ?? Buffer.alloc(0),
        shown: () => shown.map(({ text }) => text),
        echo: (id, text) => post({ id, text, chat: "u1", isOurs: true }),
        other: (id) => post({ id, chat: "u1", kind: "other" }),
        incomplete: [() => post({ id: "80", text: "from nowhere" }), () => post({})],
        sayInGroup: (id, text, mentioned) => post({ id, text, chat: "group", mentioned }),
        sayReply: (id, text, replyTo) => post({ id, text, chat: "u1", replyTo }),
        repliedTo: () => repliedTo,
        fail: (fault) => void faults.push(fault),
        hang() {
          isHanging = true;
        },
        async [Symbol.asyncDispose]() {},
      };
    },
  };
}

function readEvent(body: Uint8Array, isBreaking: boolean) {
  try {
    const event = JSON.parse(Buffer.from(body).toString("utf8"));
    if (isBreaking || (typeof event === "object" && event !== null)) return event;
  } catch (error) {
    if (isBreaking) throw error;
  }
  throw new AppError("bad_request", "the body is no event");
}

/** Waits until the signal aborts. */
function waitForAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
}

/** The same case on a platform with fewer fields, byte counts and a single kind of failure. */
const plain: MakeCase = async () => {
  const made = await paper()();
  const { adapter } = made;
  return {
    ...made,
    lacks: ["dedupeKey", "platformMessageId"],
    faults: ["refuse"],
    maxInbound: 400,
    maxPart: 200,
    lengthOf: (text) => Buffer.byteLength(text),
    adapter: {
      ...adapter,
      async open(channel, io, signal) {
        const accept: ChannelIo["accept"] = ({ dedupeKey: _key, platformMessageId: _id, ...message }) => {
          if (message.text.length > 400) throw new AppError("bad_request", "nobody can say that much here");
          return io.accept(message);
        };
        const link = await adapter.open(channel, { ...io, accept }, signal);
        // Reports the connection shortly after `open`, like an adapter that dials.
        const timer = setTimeout(() => io.report({ connected: true }), 20);
        return Object.assign(link, {
          split: (text: string) => splitText(text, 50),
          async [Symbol.asyncDispose]() {
            clearTimeout(timer);
          },
        });
      },
    },
    async connect(link, up) {
      await up();
      return made.connect(link, up);
    },
  };
};

describe("the suite every adapter must pass", () => {
  test.each([
    ["a redelivery has the same key, another message a different one", "the platform gives no dedupeKey"],
    ["a message has the platform's id", "the platform gives no platformMessageId"],
    ["a throttled send reports the platform's delay", "the test's platform does not play throttle"],
    ["a permanent rejection is distinguished from a temporary one", undefined],
    ["no failure reveals a secret", undefined],
    ["no part is longer than the platform accepts", undefined],
    ["a long inbound text is complete", undefined],
    ["a key has at most the maximum length, and is not invented", undefined],
  ])("requires of a correct adapter for a plain platform only what it supports: %s", async (name, reason) => {
    const check = CHANNEL_ADAPTER_CHECKS.find((one) => one.name === name);
    if (!check) throw new Error(`there is no check '${name}'`);
    expect(await runChannelCheck(check, plain)).toBe(reason);
  });

  test("waits for a message that is delayed for seconds, as on a busy machine", async () => {
    const slow: MakeCase = async () => {
      const made = await plain();
      const open: ChannelAdapter["open"] = (channel, io, signal) => {
        const accept: ChannelIo["accept"] = async (message) => {
          setTimeout(() => void io.accept(message), 5_000);
          return { traceId: "gw_1", itemId: "qi_1", duplicated: false, queued: true, queueSize: 1 };
        };
        return made.adapter.open(channel, { ...io, accept }, signal);
      };
      return { ...made, adapter: { ...made.adapter, open } };
    };
    const check = CHANNEL_ADAPTER_CHECKS.find(({ name }) => name === "a message names its channel and its source");
    vi.useFakeTimers();
    try {
      expect(check && (await runChannelCheck(check, slow))).toBeUndefined();
    } finally {
      vi.useRealTimers();
    }
  });

  test("has at least fifty checks, each with a unique name", () => {
    expect(CHANNEL_ADAPTER_CHECKS.length).toBeGreaterThanOrEqual(50);
    expect(new Set(CHANNEL_ADAPTER_CHECKS.map(({ name }) => name)).size).toBe(CHANNEL_ADAPTER_CHECKS.length);
  });

  // Checks that only a connection can fail are tested in socket-adapters.long.test.ts.
  const ofConnections = ["a message waits until the previous one is stored"];
  test.each(
    CHANNEL_ADAPTER_CHECKS.filter(({ name, needs = [] }) => !needs.includes("drop") && !ofConnections.includes(name)),
  )("a good adapter passes: $name", async (check) => {
    expect(await runChannelCheck(check, paper())).toBeUndefined();
  });

  test("accepts the setting of the secret under its former name too", async () => {
    const { inboundSecretSetting, ...rest } = createPaperCase("lets everybody in while its variable is unset");
    const check = CHANNEL_ADAPTER_CHECKS.find(({ name }) => name === "an unset secret admits nobody");
    const make = () => ({ ...rest, ...(inboundSecretSetting && { secretSetting: inboundSecretSetting }) });
    await expect(check && runChannelCheck(check, make)).rejects.toThrow("it had to reject the client");
  });

  test.each(Object.entries(FLAWS) as [Flaw, string][])("detects an adapter that %s: %s", async (flaw, name) => {
    const check = CHANNEL_ADAPTER_CHECKS.find((one) => one.name === name);
    if (!check) throw new Error(`there is no check '${name}'`);
    shared = undefined;
    const failure = await runChannelCheck(check, paper(flaw)).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    // People read the message: it begins with the check that failed and is no bare assertion of the test runner.
    expect(String((failure as Error).message)).toMatch(/^".+" does not hold: /);
    expect((failure as Error).message).not.toMatch(/instead of rejecting|Test timed out/);
  });
});
