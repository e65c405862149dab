import { AppError, type ChannelConfig, type ChannelIo } from "@parley/core";
import { keepConnected } from "@parley/core/channels";
import { ImapFlow } from "imapflow";
import { type ParsedMail, simpleParser } from "mailparser";
import { decodeMail, getSkipReason } from "./incoming.ts";
import { getConfig, getLogin, parseServerUrl } from "./settings.ts";

const RECONNECT_DELAY_MS = [250, 60_000] as const;
/** Delay until the server's notifications of new mail are active. */
const IDLE_DELAY_MS = 50;
const MAX_BYTES = 30 * 1024 * 1024;

/** The watched folder with an open connection: unread mail is delivered, and marked as read once stored. */
export interface Mailbox extends AsyncDisposable {
  /** Finds the mail with this Message-ID; undefined when it was deleted. */
  find(messageId: string): Promise<ParsedMail | undefined>;
  read(uid: number): Promise<ParsedMail | undefined>;
}

export function openMailbox(channel: ChannelConfig, io: ChannelIo): Mailbox {
  const config = getConfig(channel);
  let current: ImapFlow | undefined;
  const connection = keepConnected({
    io,
    pauseMs: RECONNECT_DELAY_MS,
    async connect(opened, signal) {
      const { promise: over, reject } = Promise.withResolvers<never>();
      const end = () => reject(new Error("it is over"));
      signal.addEventListener("abort", end, { once: true });
      const serve = async () => {
        const client = await connect();
        opened();
        await readWhileOpen(client);
      };
      try {
        // Closing does not wait for a storage that hangs.
        await Promise.race([serve(), over]);
      } catch (error) {
        current?.close();
        throw new Error(toReason(error), { cause: error });
      } finally {
        signal.removeEventListener("abort", end);
      }
    },
  });
  return {
    async find(messageId) {
      const [uid] = (await getClient().search({ header: { "message-id": messageId } }, { uid: true })) || [];
      return uid === undefined ? undefined : read(getClient(), uid);
    },
    read: (uid) => read(getClient(), uid),
    [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose](),
  };

  function getClient(): ImapFlow {
    if (!current?.usable) throw new AppError("unavailable", "the mailbox is not connected");
    return current;
  }

  async function connect(): Promise<ImapFlow> {
    const { host, port, isSecure, isPlain } = parseServerUrl(config.imap_url, { secure: 993, plain: 143 });
    const auth = getLogin(config, io.secret);
    const security = { secure: isSecure, ...(!isSecure && { doSTARTTLS: !isPlain }) };
    const client = new ImapFlow({ host, port, ...security, auth, autoIdleDelay: IDLE_DELAY_MS, logger: false });
    current = client;
    client.on("error", (error) => io.log.debug("the connection to the mailbox broke", { error: toReason(error) }));
    await client.connect();
    await client.mailboxOpen(config.folder);
    return client;
  }

  async function readWhileOpen(client: ImapFlow): Promise<never> {
    let news = Promise.withResolvers<void>();
    for (const event of ["exists", "close"]) client.on(event, () => news.resolve());
    while (client.usable) {
      news = Promise.withResolvers();
      await readUnread(client);
      await news.promise;
    }
    throw new Error(client.byeReason ?? "the server closed the connection");
  }

  async function readUnread(client: ImapFlow): Promise<void> {
    for (const uid of (await client.search({ seen: false }, { uid: true })) || []) {
      const mail = await read(client, uid);
      const left = mail ? (getSkipReason(mail, config) ?? (await deliverMail(mail, uid))) : "it is too large";
      if (left) io.log.info("a mail is not answered", { reason: left, messageId: mail?.messageId });
      // Marked only after it is stored: after a crash an unread mail is delivered again and recognized as a duplicate.
      await client.messageFlagsAdd(String(uid), ["\\Seen"], { uid: true });
    }
  }

  /** Returns the reason of a permanent rejection. Throws a temporary error; the mail is retried in order. */
  async function deliverMail(mail: ParsedMail, uid: number): Promise<string | undefined> {
    try {
      await io.accept(decodeMail(channel, mail, uid));
      return undefined;
    } catch (error) {
      if (AppError.is(error) && error.code === "bad_request") return error.message;
      throw error;
    }
  }
}

/** Reads a mail; returns undefined when it is too large or was deleted. */
async function read(client: ImapFlow, uid: number): Promise<ParsedMail | undefined> {
  const { size = 0 } = (await client.fetchOne(String(uid), { size: true }, { uid: true })) || {};
  if (size > MAX_BYTES) return undefined;
  const whole = await client.fetchOne(String(uid), { source: true }, { uid: true });
  const { source } = whole || {};
  return source && simpleParser(source);
}

/** Returns the server's response without our command. */
function toReason(error: unknown): string {
  const { responseText, message } = error as { readonly responseText?: string; readonly message: string };
  return responseText ?? message;
}
