import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { DeliveryError } from "../errors.ts";
import type { InboundMessage, OutboundMessage } from "../message.ts";
import type { ChannelAdapter, ChannelConfig, ChannelIo, ChannelLink, LinkState } from "../points/channel-adapter.ts";
import { silentLogger } from "../services/logger.ts";

/** One user of the platform, as the test plays it. */
export interface FakePlatform extends AsyncDisposable {
  /** The platform's id of the conversation. */
  readonly conversation: string;
  /**
   * Delivers one message as the platform does; the same id again is a redelivery.
   * Resolves when the adapter has told the platform that it took the message, rejects when it refused.
   */
  say(id: string, text: string): Promise<void>;
  /** The next text that the adapter sends to the conversation. */
  heard(): Promise<string>;
}

export interface ChannelAdapterCase {
  readonly adapter: ChannelAdapter;
  /** Settings of a channel that works. */
  readonly config: Readonly<Record<string, unknown>>;
  /** The environment: variables that the settings name. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** The setting that names a secret, when there is one: named but unset it must let nobody in. */
  readonly secretSetting?: string;
  /** A user who reaches the link. Rejects when the adapter does not let them in. */
  connect(link: ChannelLink): Promise<FakePlatform>;
  /** False where the platform wants no word that a message was taken: `say` resolves when it is on its way. Default true. */
  readonly acknowledges?: boolean;
  /** Makes the platform refuse the next send for good; absent: a conversation nobody knows is refused by itself. */
  refuseNext?(): Promise<void>;
}

const CHANNEL = "contract";

/** What every adapter must do. Call it at the top of the adapter's own test; `make` gives a fresh case for each check. */
export function channelAdapterContract(
  name: string,
  make: () => Promise<ChannelAdapterCase> | ChannelAdapterCase,
): void {
  describe(`${name}: the channel adapter contract`, () => {
    let given: ChannelAdapterCase;
    let accepted: InboundMessage[];
    let states: LinkState[];
    let accept: ChannelIo["accept"];
    const open: AsyncDisposable[] = [];

    beforeEach(async () => {
      given = await make();
      accepted = [];
      states = [];
      accept = async (message) => {
        accepted.push(message);
        return { traceId: "gw_test", itemId: "qi_test", duplicated: false, queued: true, queueSize: 1 };
      };
    });
    afterEach(async () => {
      for (const one of open.splice(0).reverse()) await one[Symbol.asyncDispose]();
    });

    const ioWith = (secrets: Readonly<Record<string, string>> | undefined): ChannelIo => ({
      accept: (message) => accept(message),
      report: (state) => void states.push(state),
      secret: (variable) => secrets?.[variable] || undefined,
      fetch,
      log: silentLogger,
    });
    const channelWith = (config: Readonly<Record<string, unknown>>): ChannelConfig => {
      const { value, error } = given.adapter.settings.validate(config);
      if (error) throw error;
      const { adapter } = given;
      const none = {
        supports_stream: false,
        supports_progress_updates: false,
        supports_file_send: false,
        supports_stop: false,
      };
      return {
        id: CHANNEL,
        name: CHANNEL,
        type: adapter.type,
        transport: adapter.transports[0] ?? "webhook",
        enabled: true,
        config: value,
        capabilities: { ...none, ...adapter.capabilities },
      };
    };
    const openLink = async (config = given.config, secrets = given.secrets): Promise<ChannelLink> => {
      const link = await given.adapter.open(channelWith(config), ioWith(secrets), new AbortController().signal);
      open.push(link);
      return link;
    };
    const connected = async () => {
      const link = await openLink();
      const platform = await given.connect(link);
      open.push(platform);
      return { link, platform };
    };
    /** Says something and waits until so many messages were handed over in all. */
    const say = async (platform: FakePlatform, id: string, text: string, count: number) => {
      await platform.say(id, text);
      await vi.waitFor(() => expect(accepted.length).toBeGreaterThanOrEqual(count));
    };
    const outbound = (conversation: string, text: string): OutboundMessage => ({
      deliveryId: "dlv_1",
      traceId: "gw_test",
      channelId: CHANNEL,
      sessionId: `${CHANNEL}:${conversation}`,
      conversation: { id: conversation, isGroup: false },
      text,
      attachments: [],
      part: 1,
      parts: 1,
    });

    describe("identity", () => {
      test("names its type and at least one transport", () => {
        expect(given.adapter.type).toMatch(/^[A-Za-z0-9_-]{1,32}$/);
        expect(given.adapter.transports.length).toBeGreaterThan(0);
      });

      test("takes its own settings and refuses those it does not know", () => {
        expect(given.adapter.settings.validate(given.config).error).toBeUndefined();
        expect(given.adapter.settings.validate({ ...given.config, no_such_setting: 1 }).error).toBeDefined();
      });
    });

    describe("in", () => {
      test("a message is handed over once, under the channel's session, with its sender and text", async () => {
        const { platform } = await connected();
        await say(platform, "1", "good morning", 1);
        expect(accepted).toHaveLength(1);
        expect(accepted[0]).toMatchObject({
          kind: "message",
          text: "good morning",
          sessionId: `${CHANNEL}:${platform.conversation}`,
          conversation: { id: platform.conversation },
        });
        expect(accepted[0]?.sender.id).not.toBe("");
      });

      test("a redelivery carries the same key, another message another one", async () => {
        const { platform } = await connected();
        await say(platform, "1", "good morning", 1);
        await say(platform, "1", "good morning", 2);
        await say(platform, "2", "good morning", 3);
        const [first, copy, other] = accepted.map(({ dedupeKey }) => dedupeKey);
        expect(first).toBeTruthy();
        expect(copy).toBe(first);
        expect(other).not.toBe(first);
      });

      test("messages are handed over in the order they were said", async () => {
        const { platform } = await connected();
        for (const id of ["1", "2", "3"]) await platform.say(id, `line ${id}`);
        await vi.waitFor(() => expect(accepted).toHaveLength(3));
        expect(accepted.map(({ text }) => text)).toEqual(["line 1", "line 2", "line 3"]);
      });

      test("text comes as it was written: other alphabets, emoji, markup", async () => {
        const { platform } = await connected();
        const text = "你好 👩‍👩‍👧 <b>é</b> {{char}}";
        await say(platform, "1", text, 1);
        expect(accepted[0]?.text).toBe(text);
      });

      test("the platform is told only when the message is stored", async ({ skip }) => {
        if (given.acknowledges === false) return skip("the platform is not told");
        const { platform } = await connected();
        const stored = Promise.withResolvers<void>();
        const kept = accept;
        accept = async (message) => {
          await stored.promise;
          return kept(message);
        };
        let isTold = false;
        const saying = platform.say("1", "good morning").then(() => {
          isTold = true;
        });
        await new Promise((resolve) => setImmediate(resolve));
        expect(isTold).toBe(false);
        stored.resolve();
        await saying;
        expect(accepted).toHaveLength(1);
      });

      test("a message that could not be stored is not taken, and the channel goes on", async () => {
        const { link, platform } = await connected();
        const kept = accept;
        const refused = Promise.withResolvers<void>();
        accept = async () => {
          refused.resolve();
          throw new Error("the disk is full");
        };
        const saying = platform.say("1", "lost?");
        if (given.acknowledges === false) await saying;
        else await expect(saying).rejects.toThrow();
        await refused.promise;
        accept = kept;
        const again = await given.connect(link);
        open.push(again);
        await say(again, "1", "lost?", 1);
        expect(accepted.map(({ text }) => text)).toEqual(["lost?"]);
      });

      test("a secret that is named but unset lets nobody in", async ({ skip }) => {
        const { secretSetting } = given;
        if (secretSetting === undefined) return skip("the channel has no secret");
        const link = await openLink({ ...given.config, [secretSetting]: "CONTRACT_UNSET" }, {});
        await expect(given.connect(link)).rejects.toThrow();
        expect(accepted).toEqual([]);
      });
    });

    describe("out", () => {
      test("a text reaches the conversation and gives a receipt", async () => {
        const { link, platform } = await connected();
        const heard = platform.heard();
        const receipt = await link.send(outbound(platform.conversation, "hello there"), new AbortController().signal);
        expect(await heard).toBe("hello there");
        expect(["confirmed", "accepted"]).toContain(receipt.quality);
      });

      test("a conversation that cannot be reached is a delivery failure with a class", async () => {
        const { link } = await connected();
        await given.refuseNext?.();
        const failure = await link
          .send(outbound("nobody-by-this-name", "hello"), new AbortController().signal)
          .catch((error) => error);
        expect(DeliveryError.is(failure)).toBe(true);
      });

      test("parts hold the whole text, and none is empty", async () => {
        const link = await openLink();
        const text = `${"word ".repeat(3000)}\n\n${"x".repeat(9000)}`;
        const parts = link.split?.(text) ?? [text];
        expect(parts.join("").replaceAll(/\s/g, "")).toBe(text.replaceAll(/\s/g, ""));
        expect(parts.every((part) => part !== "")).toBe(true);
      });
    });

    describe("life", () => {
      test("an open that is given up throws and leaves nothing open", async () => {
        const channel = channelWith(given.config);
        const opening = given.adapter.open(channel, ioWith(given.secrets), AbortSignal.abort());
        await expect(opening).rejects.toThrow();
        expect((await connected()).link).toBeDefined();
      });

      test("after the end nothing can be sent, and nothing is half sent", async () => {
        const { link, platform } = await connected();
        await link[Symbol.asyncDispose]();
        const failure = await link
          .send(outbound(platform.conversation, "too late"), new AbortController().signal)
          .catch((error) => error);
        expect(failure).toMatchObject({ name: "DeliveryError", failure: "not_sent" });
      });

      test("ending twice is ending once", async () => {
        const link = await openLink();
        await link[Symbol.asyncDispose]();
        await link[Symbol.asyncDispose]();
      });

      test("the same channel can be opened again after its end", async () => {
        const link = await openLink();
        await link[Symbol.asyncDispose]();
        const { platform } = await connected();
        await say(platform, "1", "again", 1);
        expect(accepted).toHaveLength(1);
      });
    });
  });
}
