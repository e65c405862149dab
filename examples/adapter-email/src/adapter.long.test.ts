import { channelAdapterContract, type FakePlatform } from "@parley/testing";
import { ImapFlow } from "imapflow";
import { createTransport } from "nodemailer";
import { afterAll, beforeAll, describe, vi } from "vitest";
import { createEmailAdapter } from "./adapter.ts";
import {
  type Dovecot,
  hasDovecot,
  type Smtp,
  startDovecot,
  startSmtp,
  startTestProxy,
  type TestProxy,
} from "./servers.ts";

const PASSWORD = "sesame-opens";
const PERSON = "alice@people.example";
const FAULTS = { throttle: 450, refuse: 550, fail: 451, auth: "auth", "reset-after": "cut" } as const;
/** Time without being stored after which a mail counts as rejected. */
const REFUSED_MS = 3_000;
/** Longest delay before a retry, after the attempts that failed in the meantime. */
const MAX_RETRY_DELAY_MS = 17_000;

let dovecot: Dovecot;
let line: TestProxy;
let smtp: Smtp;
let mailboxes = 0;

describe.skipIf(!hasDovecot)("a mailbox as a channel (needs the Debian package dovecot-imapd, and root)", () => {
  beforeAll(async () => {
    dovecot = await startDovecot(PASSWORD);
    line = await startTestProxy(dovecot.port);
    smtp = await startSmtp(PASSWORD);
  });
  afterAll(async () => {
    for (const server of [line, smtp, dovecot]) await server[Symbol.asyncDispose]();
  });

  channelAdapterContract("email", () => {
    mailboxes += 1;
    const address = `bot${mailboxes}@example.org`;
    const unread = new Map<string, number>();
    return {
      adapter: createEmailAdapter(),
      config: {
        address,
        imap_url: `imap://127.0.0.1:${line.port}`,
        smtp_url: `smtp://127.0.0.1:${smtp.port}`,
      },
      secrets: { EMAIL_PASSWORD: PASSWORD },
      async connect(_link, up) {
        await up();
        return correspondent(address, unread);
      },
    };
  });
});

/** Creates a person who writes to the mailbox and reads its mail. `unread` has the unread mail, by id. */
async function correspondent(address: string, unread: Map<string, number>): Promise<FakePlatform> {
  const imap = new ImapFlow({
    host: "127.0.0.1",
    port: dovecot.port,
    secure: false,
    doSTARTTLS: false,
    auth: { user: address, pass: PASSWORD },
    logger: false,
  });
  imap.on("error", () => {});
  await imap.connect();
  await imap.mailboxOpen("INBOX");
  // All mailboxes send through the same server.
  const sent = () => smtp.mails.filter(({ from }) => from?.value.some((sender) => sender.address === address));
  const first = sent().length;
  let receivedCount = first;
  const next = () =>
    vi.waitFor(
      () => {
        const mail = sent()[receivedCount];
        if (!mail) throw new Error("no mail came");
        receivedCount += 1;
        return mail;
      },
      { timeout: 5_000, interval: 5 },
    );
  /** Resolves when the mail is read, as the adapter does when it was stored. */
  const isRead = async (uid: number) => {
    const { flags } = (await imap.fetchOne(String(uid), { flags: true }, { uid: true })) || {};
    if (!flags?.has("\\Seen")) throw new Error("the mail was not taken");
  };
  const write = async (mail: object) => {
    const { message } = await createTransport({ streamTransport: true, buffer: true }).sendMail({
      from: { name: "Alice", address: PERSON },
      to: address,
      ...mail,
    });
    const { uid } = (await imap.append("INBOX", message as Buffer)) || {};
    if (uid === undefined) throw new Error("the mail was not delivered");
    return uid;
  };
  const deliver = async (id: string, mail: object) => {
    const messageId = `<${id}@people.example>`;
    // Mail that is still unread is delivered again by itself.
    const isAgain = unread.has(id);
    const uid = unread.get(id) ?? (await write({ messageId, ...mail }));
    unread.set(id, uid);
    await vi.waitFor(() => isRead(uid), { timeout: isAgain ? MAX_RETRY_DELAY_MS : REFUSED_MS, interval: 10 });
    unread.delete(id);
  };
  return {
    conversation: PERSON,
    say: (id, text) => deliver(id, { text }),
    heard: async () => (await next()).text?.trimEnd() ?? "",
    shown: () =>
      sent()
        .slice(first)
        .map(({ text }) => text?.trimEnd() ?? ""),
    sayFile: (id, filename, bytes) => deliver(id, { attachments: [{ filename, content: Buffer.from(bytes) }] }),
    async heardFile() {
      const [file] = (await next()).attachments;
      return file?.content ?? new Uint8Array();
    },
    echo: (id, text) => deliver(id, { from: address, text }),
    other: (id) => deliver(id, { text: "I am away", headers: { "Auto-Submitted": "auto-replied" } }),
    fail(fault) {
      smtp.fault = FAULTS[fault];
    },
    async drop() {
      line.disconnect();
    },
    async [Symbol.asyncDispose]() {
      imap.close();
    },
  };
}
