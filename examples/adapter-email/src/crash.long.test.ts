import { fileURLToPath } from "node:url";
import { type TorturedPlatform, tortureAdapter } from "@parley/testing";
import { ImapFlow } from "imapflow";
import { createTransport } from "nodemailer";
import { expect, test } from "vitest";
import { serviceCommand } from "../../../tests/harness/process.ts";
import { hasDovecot, type Smtp, startDovecot, startSmtp } from "./servers.ts";

const PASSWORD = "sesame-opens";
const ADDRESS = "bot@example.org";
const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// Only with PARLEY_LONG: the crash test of adapter-irc already runs each time.
test.skipIf(!hasDovecot || process.env.PARLEY_LONG === undefined)(
  "a mailbox whose service is killed answers every mail once and in order",
  { timeout: 180_000 },
  async () => {
    const result = await tortureAdapter({
      plugins: { email: fileOf("./index.ts") },
      type: "email",
      env: { EMAIL_PASSWORD: PASSWORD },
      conversations: ["ann@people.example", "bob@people.example", "eve@people.example"],
      kills: 4,
      start: startMail,
      // Runs the service of the clone, because nothing is installed there.
      command: serviceCommand(),
    });
    expect(result).toMatchObject({ said: 24, lost: [], twice: [], outOfOrder: [], inDoubt: [] });
  },
);

/** Starts real servers for incoming and outgoing mail. */
async function startMail(): Promise<{ readonly platform: TorturedPlatform; readonly config: object }> {
  await using stack = new AsyncDisposableStack();
  const dovecot = stack.use(await startDovecot(PASSWORD));
  const smtp = stack.use(await startSmtp(PASSWORD));
  const auth = { user: ADDRESS, pass: PASSWORD };
  const imap = new ImapFlow({
    host: "127.0.0.1",
    port: dovecot.port,
    secure: false,
    doSTARTTLS: false,
    auth,
    logger: false,
  });
  await imap.connect();
  stack.defer(() => imap.logout());
  const until = stack.move();
  const builder = createTransport({ streamTransport: true, buffer: true });
  return {
    config: {
      address: ADDRESS,
      imap_url: `imap://127.0.0.1:${dovecot.port}`,
      smtp_url: `smtp://127.0.0.1:${smtp.port}`,
      per_minute: 1_000,
      // A repeated mail has the same Message-ID, so mail programs show it once.
      on_unknown: "resend",
    },
    platform: {
      async say(from, text) {
        const { message } = await builder.sendMail({ from, to: ADDRESS, subject: text, text });
        await imap.append("INBOX", message as Buffer);
      },
      shown: (to) => shownBy(smtp, to),
      [Symbol.asyncDispose]: () => until.disposeAsync(),
    },
  };
}

function shownBy({ mails }: Smtp, to: string): readonly string[] {
  const own = mails.filter((mail) => [mail.to].flat().some((one) => one?.text === to));
  return [...new Map(own.map((mail) => [mail.messageId, mail.text ?? ""])).values()];
}
