import {
  AppError,
  type ChannelAdapter,
  type ChannelConfig,
  type ChannelIo,
  type ChannelLink,
  channelFileOf,
  DeliveryError,
} from "@parley/core";
import { createRateLimiter, sendThrottled } from "@parley/core/limits";
import { openMailbox } from "./mailbox.ts";
import { sendMail } from "./outgoing.ts";
import { getConfig, settings } from "./settings.ts";

const MINUTE_MS = 60_000;
const BURST = 5;
const ADDRESS_PATTERN = /^[^@\s]+@[^@\s]+$/;

/** Receives mail over IMAP with push, and sends over SMTP. */
export function createEmailAdapter(): ChannelAdapter {
  return {
    type: "email",
    transports: ["polling"],
    capabilities: { supports_file_send: true },
    settings,
    // After a broken connection the server may have accepted the mail, and it cannot be asked.
    idempotency: "none",
    open,
  };
}

async function open(channel: ChannelConfig, io: ChannelIo, signal: AbortSignal): Promise<ChannelLink> {
  signal.throwIfAborted();
  const config = getConfig(channel);
  const mailbox = openMailbox(channel, io);
  const pace = createRateLimiter({ burst: BURST, everyMs: MINUTE_MS / config.per_minute });
  let isClosed = false;
  return {
    // All conversations share one account, so they share its rate limit.
    pace: (_message, waiting) => pace.turn(config.address, waiting),
    async send(message, sending) {
      if (isClosed) throw new DeliveryError("not_sent", "the channel is closed");
      sending.throwIfAborted();
      const { id } = message.conversation;
      if (!ADDRESS_PATTERN.test(id)) throw new DeliveryError("permanent", `${id} is no mail address`);
      // Without the answered mail, the answer gets its own subject.
      const answered = message.replyTo ? await mailbox.find(message.replyTo).catch(() => undefined) : undefined;
      const platformMessageId = await sendThrottled(pace, config.address, sendMail(config, io, message, answered));
      return { platformMessageId, quality: "accepted" };
    },
    async fetchFile({ url, name }) {
      const { uid, index } = channelFileOf(url) ?? {};
      const file = (await mailbox.read(Number(uid)))?.attachments[Number(index)];
      if (!file) throw new AppError("not_found", "the mail was deleted");
      return { body: file.content, ...(name && { name }) };
    },
    async [Symbol.asyncDispose]() {
      isClosed = true;
      await mailbox[Symbol.asyncDispose]();
    },
  };
}
