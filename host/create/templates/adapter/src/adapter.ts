import { createHash, timingSafeEqual } from "node:crypto";
import { AppError, type ChannelAdapter, DeliveryError, type InboundMessage, Joi, withLabel } from "@parley/core";
import { connectionFailure, sessionIdOf } from "@parley/core/channels";
import { createRateLimiter } from "@parley/core/limits";
import { splitMarkdown, toPlainText } from "@parley/core/markdown";

interface AcmeSettings {
  readonly address: string;
  readonly word_env: string;
}

const MAX_TEXT = 1_000;

/** Acme posts each message to the channel's webhook, with a word in a header, and accepts replies as a POST to /reply. */
export const acmeAdapter: ChannelAdapter = {
  type: "acme",
  transports: ["webhook"],
  capabilities: {},
  settings: Joi.object<AcmeSettings, true>({
    address: withLabel(Joi.string().uri().required().description("Address of the Acme server"), {
      title: { en: "Address", zh: "地址" },
    }),
    word_env: withLabel(
      Joi.string().default("ACME_WORD").description("Environment variable with the word that Acme sends along"),
      { title: { en: "Word", zh: "口令" } },
    ),
  }),
  // Acme shows a text once per id, so a repeated send is safe.
  idempotency: "native_key",
  async open(channel, io, signal) {
    signal.throwIfAborted();
    const { address, word_env } = channel.config as unknown as AcmeSettings;
    const pace = createRateLimiter({ burst: 5, everyMs: 1_000 });
    let isClosed = false;
    const isSet = io.secret(word_env) !== undefined;
    io.report(isSet ? { connected: true } : { connected: false, error: `the variable ${word_env} is not set` });
    return {
      // Acme shows text without formatting; `layOutMarkdown` returns the pieces for a platform with formatting.
      split: (text) => splitMarkdown(text, MAX_TEXT),
      async receive({ headers, body, accept = io.accept, isVerified }) {
        if (!isVerified && !isSame(headers["x-acme-word"], io.secret(word_env))) {
          throw new AppError("unauthorized", "the word is wrong");
        }
        const message = toMessage(channel.id, parseJson(body));
        // `accept` resolves when the message is stored durably; only then Acme gets the acknowledgement.
        if (message) await accept(message);
        return { body: { ok: true } };
      },
      // Respects Acme's limits: five messages at once per person, then one per second. `send` itself never waits for them.
      pace: ({ conversation }, waiting) => pace.turn(conversation.id, waiting),
      async send({ deliveryId, conversation, text }, sending) {
        if (isClosed) throw new DeliveryError("not_sent", "the channel is closed");
        const body = JSON.stringify({ id: deliveryId, user: conversation.id, text: toPlainText(text) });
        const post = { method: "POST", body, signal: sending, headers: { "content-type": "application/json" } };
        const response = await io.fetch(`${address}/reply`, post).catch((error: unknown) => {
          throw connectionFailure("Acme", error, "unavailable");
        });
        if (response.status === 429) pace.hold(conversation.id, 5_000);
        const failure = toFailure(response.status);
        if (failure) throw failure;
        return { quality: "confirmed" };
      },
      async [Symbol.asyncDispose]() {
        isClosed = true;
      },
    };
  },
};

/** Decodes a message; undefined for other events. Missing fields are rejected on acceptance. */
function toMessage(channelId: string, given: Readonly<Record<string, string>>): InboundMessage | undefined {
  const { id = "", user = "", text } = given;
  if (!text) return undefined;
  return {
    kind: "message",
    channelId,
    sessionId: sessionIdOf(channelId, user),
    conversation: { id: user, isGroup: false },
    sender: { id: user, name: user, isAdmin: false },
    text,
    attachments: [],
    addressed: true,
    source: channelId,
    // Equal for every copy of one message.
    dedupeKey: id,
    platformMessageId: id,
  };
}

function toFailure(status: number): DeliveryError | undefined {
  if (status < 300) return undefined;
  if (status === 429) return new DeliveryError("throttled", "Acme asks to wait", { retryAfterMs: 5_000 });
  if (status === 401) return new DeliveryError("auth", "Acme refuses us");
  return new DeliveryError(status >= 500 ? "unavailable" : "permanent", `Acme answered ${status}`);
}

function parseJson(body: Uint8Array): Readonly<Record<string, string>> {
  try {
    return JSON.parse(new TextDecoder().decode(body)) ?? {};
  } catch {
    throw new AppError("bad_request", "the body is not JSON");
  }
}

/** Compares the words in constant time; a variable that is named but empty admits nobody. */
function isSame(given = "", wanted: string | undefined): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return wanted !== undefined && timingSafeEqual(digest(given), digest(wanted));
}
