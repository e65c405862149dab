import { DeliveryError } from "@parley/core";
import { expect, vi } from "vitest";
import type { ChannelAdapterCase, PlatformFault } from "./case.ts";
import { chapter } from "./check.ts";
import { ON_ITS_WAY } from "./scene.ts";

const never = new AbortController().signal;
const CLASSES = [
  "not_sent",
  "throttled",
  "unavailable",
  "ambiguous",
  "auth",
  "payload",
  "permanent",
  "no_sender",
  "window_closed",
];
const LONG = `${"word ".repeat(3_000)}\n\n${"x".repeat(9_000)}`;

const keepsWhole = ({ maxPart }: { readonly maxPart?: number }) =>
  maxPart === undefined ? "the platform has no limit" : undefined;

const lengthIn = ({ lengthOf = (text) => text.length }: Pick<ChannelAdapterCase, "lengthOf">, text: string) =>
  lengthOf(text);

export const outbound = chapter("out", {
  async "a text reaches the conversation and gives a receipt"({ connected, message }) {
    const { link, platform } = await connected();
    const heard = platform.heard();
    const receipt = await link.send(message(platform.conversation, "hello there"), never);
    expect(await heard).toBe("hello there");
    expect(["confirmed", "accepted"]).toContain(receipt.quality);
  },
  async "a text goes out as it is written: other alphabets, emoji, what looks like markup"({ connected, message }) {
    const { link, platform } = await connected();
    const heard = platform.heard();
    const text = '你好 👩‍👩‍👧 <b>é</b> & [CQ:at,qq=all] <at user_id="all"></at>';
    await link.send(message(platform.conversation, text), never);
    const said = await heard;
    for (const part of ["你好", "👩‍👩‍👧", "é"]) expect(said).toContain(part);
  },
  async "several texts arrive in the order they were sent"({ connected, message }) {
    const { link, platform } = await connected();
    const heard: string[] = [];
    for (const text of ["one", "two", "three"]) {
      const next = platform.heard();
      await link.send(message(platform.conversation, text, { deliveryId: `dlv_${text}` }), never);
      heard.push(await next);
    }
    expect(heard).toEqual(["one", "two", "three"]);
  },
  async "a conversation that cannot be reached is a delivery failure with a class"({
    given,
    connected,
    message,
    failureOf,
  }) {
    const { link } = await connected();
    await given.refuseNext?.();
    const failure = await failureOf(link.send(message("nobody-by-this-name", "hello"), never));
    expect(CLASSES).toContain(failure.failure);
    expect(failure.message).not.toBe("");
  },
  async "a send that is given up before it began sends nothing"({ connected, message }) {
    const { link, platform } = await connected();
    await expect(link.send(message(platform.conversation, "too late"), AbortSignal.abort())).rejects.toThrow();
    const heard = platform.heard();
    await link.send(message(platform.conversation, "in time", { deliveryId: "dlv_2" }), never);
    expect(await heard).toBe("in time");
  },
});

export const splitting = chapter("splitting", {
  async "parts hold the whole text, and none is empty"({ given, open }) {
    const link = await open();
    const parts = link.split?.(LONG) ?? [LONG];
    const said = parts.join("").replaceAll(/\s/g, "");
    const whole = LONG.replaceAll(/\s/g, "");
    if (given.maxParts === undefined) expect(said).toBe(whole);
    else {
      expect(parts.length).toBeLessThanOrEqual(given.maxParts);
      expect(whole.startsWith(said.replace(/…$/, ""))).toBe(true);
    }
    expect(parts.every((part) => part.trim() !== "")).toBe(true);
  },
  "no part is longer than the platform takes": {
    skipped: keepsWhole,
    async run({ given, open }) {
      const link = await open();
      for (const part of link.split?.(LONG) ?? [LONG])
        expect(lengthIn(given, part)).toBeLessThanOrEqual(given.maxPart as number);
    },
  },
  async "a short text is one part"({ open }) {
    const link = await open();
    expect(link.split?.("hello") ?? ["hello"]).toEqual(["hello"]);
  },
  "no character is cut in half": {
    skipped: keepsWhole,
    async run({ given, open }) {
      const link = await open();
      const family = "👩‍👩‍👧‍👦";
      const text = family.repeat(Math.ceil(((given.maxPart as number) * 2.5) / lengthIn(given, family)));
      for (const part of link.split?.(text) ?? [text]) expect(part.replaceAll(family, "").trim()).toBe("");
    },
  },
  "a code block that is cut is closed and opened again": {
    skipped: keepsWhole,
    async run({ given, open }) {
      const link = await open();
      const text = `before\n\n\`\`\`ts\n${"const a = 1;\n".repeat(Math.ceil((given.maxPart as number) / 5))}\`\`\`\n\nafter`;
      for (const part of link.split?.(text) ?? [text]) expect((part.match(/^```/gm) ?? []).length % 2).toBe(0);
    },
  },
});

export const failures = chapter("failures", {
  "a platform that asks to wait says how long": {
    needs: ["fail"],
    faults: ["throttle"],
    async run({ connected, message, failureOf }) {
      const { link, platform } = await connected();
      platform.fail?.("throttle");
      const failure = await failureOf(link.send(message(platform.conversation, "hello"), never));
      expect(failure.failure).toBe("throttled");
      expect(failure.retryAfterMs).toBeGreaterThan(0);
    },
  },
  "a refusal for good is told apart from one for now": {
    needs: ["fail"],
    faults: ["refuse"],
    async run({ connected, message, failureOf }) {
      const { link, platform } = await connected();
      platform.fail?.("refuse");
      const failure = await failureOf(link.send(message(platform.conversation, "hello"), never));
      expect(["permanent", "payload", "window_closed"]).toContain(failure.failure);
    },
  },
  "refused credentials are told as such": {
    needs: ["fail"],
    faults: ["auth"],
    async run({ connected, message, failureOf }) {
      const { link, platform } = await connected();
      platform.fail?.("auth");
      const failure = await failureOf(link.send(message(platform.conversation, "hello"), never));
      expect(failure.failure).toBe("auth");
    },
  },
  "a platform that failed may be tried again": {
    needs: ["fail"],
    faults: ["fail"],
    async run({ connected, message, failureOf }) {
      const { link, platform } = await connected();
      platform.fail?.("fail");
      const failure = await failureOf(link.send(message(platform.conversation, "hello"), never));
      expect(["unavailable", "ambiguous", "not_sent"]).toContain(failure.failure);
    },
  },
  "after a failure the next text goes out": {
    needs: ["fail"],
    faults: ["fail"],
    async run({ connected, message, failureOf }) {
      const { link, platform } = await connected();
      platform.fail?.("fail");
      await failureOf(link.send(message(platform.conversation, "first"), never));
      const heard = platform.heard();
      await link.send(message(platform.conversation, "second", { deliveryId: "dlv_2", part: 2, parts: 2 }), never);
      expect(await heard).toBe("second");
    },
  },
  "no failure tells a secret": {
    needs: ["fail"],
    async run({ given, connected, message, failureOf, logged, secrets }) {
      const { link, platform } = await connected();
      const told: readonly PlatformFault[] = ["refuse", "fail", "auth"];
      for (const fault of told.filter((one) => given.faults?.includes(one) ?? true)) {
        platform.fail?.(fault);
        const failure = await failureOf(link.send(message(platform.conversation, "hello"), never));
        for (const secret of Object.values(secrets))
          expect(`${failure.message} ${failure.stack}`).not.toContain(secret);
      }
      for (const secret of Object.values(given.secrets ?? {})) expect(logged.join("\n")).not.toContain(secret);
    },
  },
});

export const doubt = chapter("doubt", {
  "a send that arrived without a word is never told as not sent": {
    needs: ["fail", "shown"],
    faults: ["reset-after"],
    async run({ connected, message, failureOf }) {
      const { link, platform } = await connected();
      platform.fail?.("reset-after");
      const failure = await failureOf(link.send(message(platform.conversation, "doubt"), never));
      expect(failure.failure).not.toBe("not_sent");
      expect(platform.shown?.()).toEqual(["doubt"]);
    },
  },
  "what its mode promises about a repeat holds": {
    needs: ["fail", "shown"],
    faults: ["reset-after"],
    async run({ given, connected, message, failureOf }) {
      const { link, platform } = await connected();
      const same = message(platform.conversation, "doubt");
      platform.fail?.("reset-after");
      const failure = await failureOf(link.send(same, never));
      const { idempotency } = given.adapter;
      if (idempotency === "none") {
        expect(failure.failure).toBe("ambiguous");
        return;
      }
      if (idempotency === "reconcile") {
        expect(await link.reconcile?.(same, never)).toBe("delivered");
        expect(await link.reconcile?.(message(platform.conversation, "never sent"), never)).not.toBe("delivered");
        return;
      }
      await link.send(same, never);
      expect(platform.shown?.()).toEqual(["doubt"]);
    },
  },
  async "a mode that looks things up can look them up"({ given, open }) {
    const link = await open();
    expect(link.reconcile !== undefined).toBe(given.adapter.idempotency === "reconcile");
  },
});

export const ending = chapter("life", {
  async "an open that is given up throws and leaves nothing open"({ openWith, connected }) {
    await expect(openWith(AbortSignal.abort())).rejects.toThrow();
    expect((await connected()).link).toBeDefined();
  },
  async "an open that is given up on its way leaves nothing open"({ given, channel, connected, openWith }) {
    for (let round = 0; round < 5; round += 1) {
      const abort = new AbortController();
      const opening = openWith(abort.signal);
      abort.abort();
      const link = await opening.catch(() => undefined);
      await link?.[Symbol.asyncDispose]();
    }
    expect(channel().type).toBe(given.adapter.type);
    expect((await connected()).link).toBeDefined();
  },
  async "after the end nothing can be sent, and nothing is half sent"({ connected, message }) {
    const { link, platform } = await connected();
    await link[Symbol.asyncDispose]();
    const failure = await link.send(message(platform.conversation, "too late"), never).catch((error: unknown) => error);
    expect(DeliveryError.is(failure) && failure.failure).toBe("not_sent");
  },
  async "after the end nothing is reported any more"({ connected, states }) {
    const { link, platform } = await connected();
    await platform[Symbol.asyncDispose]();
    await link[Symbol.asyncDispose]();
    const before = states.length;
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(states.slice(before)).toEqual([]);
  },
  async "ending twice is ending once"({ open }) {
    const link = await open();
    await link[Symbol.asyncDispose]();
    await link[Symbol.asyncDispose]();
  },
  async "the same channel can be opened again after its end"({ open, connected, say, accepted }) {
    const link = await open();
    await link[Symbol.asyncDispose]();
    const { platform } = await connected();
    await say(platform, "1", "again", 1);
    expect(accepted).toHaveLength(1);
  },
  async "twenty openings and endings leave no socket and no timer"({ open }) {
    const held = () => process.getActiveResourcesInfo().filter((name) => /TCP|Timeout|Server/.test(name)).length;
    const warm = await open();
    await warm[Symbol.asyncDispose]();
    const before = held();
    for (let round = 0; round < 20; round += 1) {
      const link = await open();
      await link[Symbol.asyncDispose]();
    }
    await vi.waitFor(() => expect(held()).toBeLessThanOrEqual(before + 3), ON_ITS_WAY);
  },
  "a connection that breaks comes back by itself": {
    needs: ["drop"],
    async run({ connected, say }) {
      const { platform } = await connected();
      for (let round = 1; round <= 3; round += 1) {
        await platform.drop?.();
        await say(platform, String(round), `still here ${round}`, round);
      }
    },
  },
  "while a connection is away nothing is told as sent": {
    needs: ["drop"],
    async run({ connected, message }) {
      const { link, platform } = await connected();
      const back = platform.drop?.();
      const sent = await link.send(message(platform.conversation, "meanwhile"), never).then(
        () => true,
        (error: unknown) => DeliveryError.is(error),
      );
      expect(sent).toBe(true);
      await back;
    },
  },
});
