import { setTimeout as wait } from "node:timers/promises";
import { DeliveryError } from "@parley/core";
import { expect } from "vitest";
import type { PlatformFault } from "./case.ts";
import { chapter } from "./check.ts";
import { expectRejection, withTimeout } from "./wait.ts";

export const neverAborted: AbortSignal = new AbortController().signal;
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
export const LONG_TEXT = `${"word ".repeat(3_000)}\n\n${"x".repeat(9_000)}`;

export const outbound = chapter("outbound", {
  async "a text reaches the conversation and results in a receipt"({ connected, message }) {
    const { link, platform } = await connected();
    const received = platform.heard();
    const receipt = await link.send(message(platform.conversation, "hello there"), neverAborted);
    expect(await received).toBe("hello there");
    expect(["confirmed", "accepted"]).toContain(receipt.quality);
  },
  async "outbound text is unchanged: other alphabets, emoji, apparent markup"({ connected, message }) {
    const { link, platform } = await connected();
    const received = platform.heard();
    const text = '你好 👩‍👩‍👧 <b>é</b> & [CQ:at,qq=all] <at user_id="all"></at>';
    await link.send(message(platform.conversation, text), neverAborted);
    const answerText = await received;
    for (const part of ["你好", "👩‍👩‍👧", "é"]) expect(answerText).toContain(part);
  },
  async "characters that only resemble Markdown are unchanged"({ connected, message }) {
    const { link, platform } = await connected();
    const received = platform.heard();
    const text = "2 * 3 * 4, **args and **kwargs in snake_case_words";
    await link.send(message(platform.conversation, text), neverAborted);
    expect(await received).toContain(text);
  },
  async "line breaks are preserved when sending"({ connected, message }) {
    const { link, platform } = await connected();
    const receive = () => platform.heard();
    const received = receive();
    await link.send(message(platform.conversation, "first line\nsecond line\n\nanother paragraph"), neverAborted);
    let answerText = await received;
    // Some platforms take only one line per message.
    while (!answerText.includes("another paragraph")) answerText += `\n${await receive()}`;
    for (const line of ["first line", "second line", "another paragraph"]) expect(answerText).toContain(line);
    expect(answerText, "two lines were joined").not.toMatch(/line *(second line|another)/);
  },
  async "a part of the maximum length is sent complete"({ connected, message }) {
    const { link, platform } = await connected();
    const [part = ""] = link.split?.(LONG_TEXT) ?? ["word ".repeat(600)];
    const received = platform.heard();
    await link.send(message(platform.conversation, part), neverAborted);
    expect((await received).replaceAll(/\s/g, "")).toBe(part.replaceAll(/\s/g, ""));
  },
  async "a send without its secrets fails with a DeliveryError"({ given, connected, message, secrets }) {
    const { link, platform } = await connected();
    for (const name of Object.keys(given.secrets ?? {})) secrets[name] = "";
    const outcome = await link.send(message(platform.conversation, "hello"), neverAborted).catch((error) => error);
    if (outcome instanceof Error && !DeliveryError.is(outcome))
      throw new Error(`it must fail with a DeliveryError, not with ${String(outcome)}`);
  },
  async "texts arrive in the order they were sent"({ connected, message }) {
    const { link, platform } = await connected();
    const received: string[] = [];
    for (const text of ["one", "two", "three"]) {
      const next = platform.heard();
      await link.send(message(platform.conversation, text, { deliveryId: `dlv_${text}` }), neverAborted);
      received.push(await next);
    }
    expect(received).toEqual(["one", "two", "three"]);
  },
  async "an unreachable conversation is a DeliveryError with a failure class"({
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
  async "a send that is aborted before its start sends nothing"({ connected, message }) {
    const { link, platform } = await connected();
    const aborted = link.send(message(platform.conversation, "too late"), AbortSignal.abort());
    await expectRejection(aborted, "a send whose signal is aborted must fail");
    const received = platform.heard();
    await link.send(message(platform.conversation, "in time", { deliveryId: "dlv_2" }), neverAborted);
    expect(await received).toBe("in time");
  },
  async "a send that the platform never answers ends when it is aborted"(scene) {
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
  "an outbound reply names the message that it answers": {
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

export const failures = chapter("failures", {
  "a throttled send reports the platform's delay": {
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
  "a permanent rejection is distinguished from a temporary one": {
    needs: ["fail"],
    faults: ["refuse"],
    async run({ connected, message, failureOf }) {
      const { link, platform } = await connected();
      platform.fail?.("refuse");
      const failure = await failureOf(link.send(message(platform.conversation, "hello"), neverAborted));
      expect(["permanent", "payload", "window_closed"]).toContain(failure.failure);
    },
  },
  "rejected credentials are reported as such": {
    needs: ["fail"],
    faults: ["auth"],
    async run({ connected, message, failureOf }) {
      const { link, platform } = await connected();
      platform.fail?.("auth");
      const failure = await failureOf(link.send(message(platform.conversation, "hello"), neverAborted));
      expect(failure.failure).toBe("auth");
    },
  },
  "a failed platform may be retried": {
    needs: ["fail"],
    faults: ["fail"],
    async run({ connected, message, failureOf }) {
      const { link, platform } = await connected();
      platform.fail?.("fail");
      const failure = await failureOf(link.send(message(platform.conversation, "hello"), neverAborted));
      expect(["unavailable", "ambiguous", "not_sent"]).toContain(failure.failure);
    },
  },
  "after a failure the next text is sent": {
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
  "no failure reveals a secret": {
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
