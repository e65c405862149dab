import { setTimeout as wait } from "node:timers/promises";
import { type ChannelLink, DeliveryError, type OutboundMessage } from "@parley/core";
import { expect } from "vitest";
import type { ChannelAdapterCase, PlatformFault } from "./case.ts";
import { chapter } from "./check.ts";
import { expectRejection, withTimeout } from "./wait.ts";

const neverAborted = new AbortController().signal;
const FAILURE_CLASSES = [
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
/** Time after which a waiting send counts as hanging. */
const HANG_TIMEOUT_MS = 100;
/** Maximum time of a send that respects its signal after an abort. */
const ABORT_TIMEOUT_MS = 2_000;
const POLL_EVERY_MS = 20;
const LONG_TEXT = `${"word ".repeat(3_000)}\n\n${"x".repeat(9_000)}`;

const LINES = Array.from({ length: 800 }, (_, at) => `  ${at}. a line  of\n\tsome words\n`).join("\n");

const skipWithoutLimit = ({ maxPart }: { readonly maxPart?: number }) =>
  maxPart === undefined ? "the platform has no limit" : undefined;

const skipWithoutSafeRepeat = ({ adapter }: Pick<ChannelAdapterCase, "adapter">) =>
  ["native_key", "natural"].includes(adapter.idempotency) ? undefined : "its mode does not promise it";

const measureText = ({ lengthOf = (text) => text.length }: Pick<ChannelAdapterCase, "lengthOf">, text: string) =>
  lengthOf(text);

export const outbound = chapter("out", {
  async "a text reaches the conversation and gives a receipt"({ connected, message }) {
    const { link, platform } = await connected();
    const received = platform.heard();
    const receipt = await link.send(message(platform.conversation, "hello there"), neverAborted);
    expect(await received).toBe("hello there");
    expect(["confirmed", "accepted"]).toContain(receipt.quality);
  },
  async "a text goes out as it is written: other alphabets, emoji, what looks like markup"({ connected, message }) {
    const { link, platform } = await connected();
    const received = platform.heard();
    const text = '你好 👩‍👩‍👧 <b>é</b> & [CQ:at,qq=all] <at user_id="all"></at>';
    await link.send(message(platform.conversation, text), neverAborted);
    const answerText = await received;
    for (const part of ["你好", "👩‍👩‍👧", "é"]) expect(answerText).toContain(part);
  },
  async "signs that only look like marks of Markdown are kept"({ connected, message }) {
    const { link, platform } = await connected();
    const received = platform.heard();
    const text = "2 * 3 * 4, **args and **kwargs in snake_case_words";
    await link.send(message(platform.conversation, text), neverAborted);
    expect(await received).toContain(text);
  },
  async "lines stay lines"({ connected, message }) {
    const { link, platform } = await connected();
    const receive = () => platform.heard();
    const received = receive();
    await link.send(message(platform.conversation, "first line\nsecond line\n\nanother paragraph"), neverAborted);
    let answerText = await received;
    // Some platforms take one line a message.
    while (!answerText.includes("another paragraph")) answerText += `\n${await receive()}`;
    for (const line of ["first line", "second line", "another paragraph"]) expect(answerText).toContain(line);
    expect(answerText, "two lines were joined").not.toMatch(/line *(second line|another)/);
  },
  async "a part of full length goes out whole"({ connected, message }) {
    const { link, platform } = await connected();
    const [part = ""] = link.split?.(LONG_TEXT) ?? ["word ".repeat(600)];
    const received = platform.heard();
    await link.send(message(platform.conversation, part), neverAborted);
    expect((await received).replaceAll(/\s/g, "")).toBe(part.replaceAll(/\s/g, ""));
  },
  async "a send without its secrets fails as a delivery does"({ given, connected, message, secrets }) {
    const { link, platform } = await connected();
    for (const name of Object.keys(given.secrets ?? {})) secrets[name] = "";
    const outcome = await link.send(message(platform.conversation, "hello"), neverAborted).catch((error) => error);
    if (outcome instanceof Error && !DeliveryError.is(outcome))
      throw new Error(`it must fail with a DeliveryError, not with ${String(outcome)}`);
  },
  async "several texts arrive in the order they were sent"({ connected, message }) {
    const { link, platform } = await connected();
    const received: string[] = [];
    for (const text of ["one", "two", "three"]) {
      const next = platform.heard();
      await link.send(message(platform.conversation, text, { deliveryId: `dlv_${text}` }), neverAborted);
      received.push(await next);
    }
    expect(received).toEqual(["one", "two", "three"]);
  },
  async "a conversation that cannot be reached is a delivery failure with a class"({
    given,
    connected,
    message,
    failureOf,
  }) {
    const { link } = await connected();
    await given.refuseNext?.();
    const failure = await failureOf(link.send(message("nobody-by-this-name", "hello"), neverAborted));
    expect(FAILURE_CLASSES).toContain(failure.failure);
    expect(failure.message).not.toBe("");
  },
  async "a send that is given up before it began sends nothing"({ connected, message }) {
    const { link, platform } = await connected();
    const aborted = link.send(message(platform.conversation, "too late"), AbortSignal.abort());
    await expectRejection(aborted, "a send whose signal is aborted must fail");
    const received = platform.heard();
    await link.send(message(platform.conversation, "in time", { deliveryId: "dlv_2" }), neverAborted);
    expect(await received).toBe("in time");
  },
  async "a send that the platform never answers ends when it is given up"(scene) {
    const { link, platform } = await scene.connected();
    const asked = Promise.withResolvers<"asked">();
    scene.fetch = (input, init) => {
      asked.resolve("asked");
      const signal = input instanceof Request ? input.signal : init?.signal;
      return new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
    };
    platform.hang?.();
    const abort = new AbortController();
    const ended = link.send(scene.message(platform.conversation, "lost on its way"), abort.signal).then(
      () => "ended",
      () => "ended",
    );
    const first = await Promise.race([asked.promise, ended, wait(HANG_TIMEOUT_MS, "hangs")]);
    abort.abort();
    if (first === "ended" && !platform.hang) return "the test's platform does not play hang";
    await withTimeout(ended, "a send must heed its signal: it did not end", ABORT_TIMEOUT_MS);
    return undefined;
  },
  "a text that answers a message names it": {
    needs: ["repliedTo"],
    async run({ connected, say, message, accepted }) {
      const { link, platform } = await connected();
      await say(platform, "7", "a question", 1);
      const replyTo = accepted[0]?.platformMessageId;
      if (replyTo === undefined) throw new Error("a message that can be answered needs a 'platformMessageId'");
      const received = platform.heard();
      await link.send(message(platform.conversation, "the answer", { replyTo }), neverAborted);
      await received;
      expect(platform.repliedTo?.(), "'replyTo' must reach the platform").toBe(replyTo);
    },
  },
});

export const splitting = chapter("splitting", {
  async "parts hold the whole text, and none is empty"({ given, open }) {
    const link = await open();
    const parts = link.split?.(LONG_TEXT) ?? [LONG_TEXT];
    const delivered = parts.join("").replaceAll(/\s/g, "");
    const whole = LONG_TEXT.replaceAll(/\s/g, "");
    if (given.maxParts === undefined) expect(delivered).toBe(whole);
    else {
      expect(parts.length).toBeLessThanOrEqual(given.maxParts);
      expect(whole.startsWith(delivered.replace(/…$/, ""))).toBe(true);
    }
    expect(parts.every((part) => part.trim() !== "")).toBe(true);
  },
  async "parts keep their lines"({ open }) {
    const link = await open();
    for (const part of link.split?.(LINES) ?? [LINES])
      if (!LINES.includes(part.replace(/…$/, "").trim())) throw new Error(`a part is not as it was written: ${part}`);
  },
  "no part is longer than the platform takes": {
    skipped: skipWithoutLimit,
    async run({ given, open }) {
      const link = await open();
      for (const part of link.split?.(LONG_TEXT) ?? [LONG_TEXT])
        expect(measureText(given, part)).toBeLessThanOrEqual(given.maxPart as number);
    },
  },
  async "a short text is one part"({ open }) {
    const link = await open();
    expect(link.split?.("hello") ?? ["hello"]).toEqual(["hello"]);
  },
  "no character is cut in half": {
    skipped: skipWithoutLimit,
    async run({ given, open }) {
      const link = await open();
      const family = "👩‍👩‍👧‍👦";
      const text = family.repeat(Math.ceil(((given.maxPart as number) * 2.5) / measureText(given, family)));
      for (const part of link.split?.(text) ?? [text]) expect(part.replaceAll(family, "").trim()).toBe("");
    },
  },
  "a code block that is cut is closed and opened again": {
    skipped: skipWithoutLimit,
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
      const failure = await failureOf(link.send(message(platform.conversation, "hello"), neverAborted));
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
      const failure = await failureOf(link.send(message(platform.conversation, "hello"), neverAborted));
      expect(["permanent", "payload", "window_closed"]).toContain(failure.failure);
    },
  },
  "refused credentials are told as such": {
    needs: ["fail"],
    faults: ["auth"],
    async run({ connected, message, failureOf }) {
      const { link, platform } = await connected();
      platform.fail?.("auth");
      const failure = await failureOf(link.send(message(platform.conversation, "hello"), neverAborted));
      expect(failure.failure).toBe("auth");
    },
  },
  "a platform that failed may be tried again": {
    needs: ["fail"],
    faults: ["fail"],
    async run({ connected, message, failureOf }) {
      const { link, platform } = await connected();
      platform.fail?.("fail");
      const failure = await failureOf(link.send(message(platform.conversation, "hello"), neverAborted));
      expect(["unavailable", "ambiguous", "not_sent"]).toContain(failure.failure);
    },
  },
  "after a failure the next text goes out": {
    needs: ["fail"],
    faults: ["fail"],
    async run({ connected, message, failureOf, sendUntilTaken }) {
      const { link, platform } = await connected();
      platform.fail?.("fail");
      await failureOf(link.send(message(platform.conversation, "first"), neverAborted));
      const received = platform.heard();
      await sendUntilTaken(link, message(platform.conversation, "second", { deliveryId: "dlv_2", part: 2, parts: 2 }));
      expect(await received).toBe("second");
    },
  },
  "no failure tells a secret": {
    needs: ["fail"],
    async run({ given, connected, message, failureOf, logged, secrets }) {
      const { link, platform } = await connected();
      const reportedFaults: readonly PlatformFault[] = ["refuse", "fail", "auth"];
      for (const fault of reportedFaults.filter((one) => given.faults?.includes(one) ?? true)) {
        platform.fail?.(fault);
        const failure = await failureOf(link.send(message(platform.conversation, "hello"), neverAborted));
        for (const secret of Object.values(secrets))
          expect(`${failure.message} ${failure.stack}`).not.toContain(secret);
      }
      for (const secret of Object.values(given.secrets ?? {})) expect(logged.join("\n")).not.toContain(secret);
    },
  },
});

export const unknownOutcome = chapter("doubt", {
  "a send that arrived without a word is never told as not sent": {
    needs: ["fail", "shown"],
    faults: ["reset-after"],
    async run({ connected, message, failureOf }) {
      const { link, platform } = await connected();
      platform.fail?.("reset-after");
      const failure = await failureOf(link.send(message(platform.conversation, "doubt"), neverAborted));
      expect(failure.failure).not.toBe("not_sent");
      expect(platform.shown?.()).toEqual(["doubt"]);
    },
  },
  "what its mode promises about a repeat holds": {
    needs: ["fail", "shown"],
    faults: ["reset-after"],
    async run(scene) {
      const { given, connected, message, failureOf } = scene;
      const { link, platform } = await connected();
      const same = () => message(platform.conversation, "doubt");
      platform.fail?.("reset-after");
      const failure = await failureOf(link.send(same(), neverAborted));
      const { idempotency } = given.adapter;
      if (idempotency === "none") {
        expect(failure.failure).toBe("ambiguous");
        return;
      }
      if (idempotency === "reconcile") {
        expect(await reconcileUntilKnown(link, same())).toBe("delivered");
        expect(await link.reconcile?.(message(platform.conversation, "never sent"), neverAborted)).not.toBe(
          "delivered",
        );
        return;
      }
      await scene.sendUntilTaken(link, same());
      expect(platform.shown?.(), "a repeat on the same connection was shown twice").toEqual(["doubt"]);
    },
  },
  "a repeat of what was sent is shown once, also after the channel was opened again": {
    needs: ["shown"],
    skipped: skipWithoutSafeRepeat,
    async run({ connected, message }) {
      const { link, platform } = await connected();
      await link.send(message(platform.conversation, "only once"), neverAborted);
      await link.send(message(platform.conversation, "only once"), neverAborted);
      await link[Symbol.asyncDispose]();
      const { link: next } = await connected();
      await next.send(message(platform.conversation, "only once"), neverAborted);
      expect(platform.shown?.(), "a send whose receipt was lost is made again").toEqual(["only once"]);
    },
  },
  "a repeat after the channel was opened again is shown once": {
    needs: ["fail", "shown"],
    faults: ["reset-after"],
    skipped: skipWithoutSafeRepeat,
    async run(scene) {
      const { connected, message, failureOf } = scene;
      const { link, platform } = await connected();
      platform.fail?.("reset-after");
      await failureOf(link.send(message(platform.conversation, "doubt"), neverAborted));
      await link[Symbol.asyncDispose]();
      const { link: next } = await connected();
      await scene.sendUntilTaken(next, message(platform.conversation, "doubt"));
      expect(
        platform.shown?.(),
        "the key of a repeat must come from the delivery's id, not from the link that sends it",
      ).toEqual(["doubt"]);
    },
  },
  async "a mode that looks things up can look them up"({ given, open }) {
    const link = await open();
    expect(link.reconcile !== undefined).toBe(given.adapter.idempotency === "reconcile");
  },
});

/** A connection that broke is away for a moment: until it is back, nothing is known. */
async function reconcileUntilKnown(link: ChannelLink, message: OutboundMessage): Promise<string | undefined> {
  let found: string | undefined;
  const look = async () => {
    while (found === undefined || found === "unknown") {
      found = await link.reconcile?.(message, neverAborted).catch(() => "unknown");
      await wait(POLL_EVERY_MS);
    }
  };
  await withTimeout(look(), "'reconcile' did not find the message that the platform shows");
  return found;
}
