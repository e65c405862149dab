import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ImapFlow } from "imapflow";
import { createTransport } from "nodemailer";
import { describe, expect, test, vi } from "vitest";
import { createClient } from "../../../tests/harness/client.ts";
import { startProcess } from "../../../tests/harness/process.ts";
import { hasDovecot, startDovecot, startSmtp } from "./servers.ts";

const PASSWORD = "sesame-opens";
const ADDRESS = "bot@example.org";
const MAILS = 24;
/** The service is killed when so many answers have come. */
const KILLED_AT = [1, 7, 13];
const WITHIN_MS = 60_000;

describe.skipIf(!hasDovecot)("a mailbox whose service is killed", () => {
  test("answers every mail once: none is lost, none is answered by two", { timeout: 3 * WITHIN_MS }, async () => {
    await using dovecot = await startDovecot(PASSWORD);
    await using smtp = await startSmtp(PASSWORD);
    const root = mkdtempSync(join(tmpdir(), "parley-email-"));
    const installed = join(root, "node_modules", "example-parley-adapter-email");
    mkdirSync(join(root, "node_modules"));
    symlinkSync(join(import.meta.dirname, ".."), installed);
    writeFileSync(join(root, "config.ini"), "[plugins]\nemail = example-parley-adapter-email\n[log]\nlevel = error\n");
    const env = { SVC_ADMIN_PASSWORD: "correct horse", EMAIL_PASSWORD: PASSWORD };
    const start = () => startProcess({ root, env });
    const answers = () => new Map(smtp.mails.map((mail) => [mail.messageId, String(mail.inReplyTo)]));

    let service = await start();
    const open = createClient(service.address, "");
    const { token } = await open.post<{ token: string }>("/api/login", {
      username: "admin",
      password: "correct horse",
    });
    await open.as(token).post("/api/channels", {
      type: "email",
      name: "Post",
      config: {
        address: ADDRESS,
        imap_url: `imap://127.0.0.1:${dovecot.port}`,
        smtp_url: `smtp://127.0.0.1:${smtp.port}`,
        per_minute: 1_000,
        // Repeats carry the same Message-ID: programs show one of them.
        on_unknown: "resend",
      },
    });
    await write(dovecot.port);
    for (const count of KILLED_AT) {
      await vi.waitFor(() => expect(answers().size).toBeGreaterThanOrEqual(count), { timeout: WITHIN_MS, interval: 2 });
      service.child.kill("SIGKILL");
      await service.ended;
      service = await start();
    }
    const questions = Array.from({ length: MAILS }, (_, n) => `<${n}@people.example>`);
    await vi.waitFor(() => expect(new Set(answers().values())).toEqual(new Set(questions)), {
      timeout: WITHIN_MS,
      interval: 20,
    });
    await service.stop();
    expect(answers().size).toBe(MAILS);
    rmSync(root, { recursive: true, force: true });
  });
});

async function write(port: number): Promise<void> {
  const auth = { user: ADDRESS, pass: PASSWORD };
  const imap = new ImapFlow({ host: "127.0.0.1", port, secure: false, doSTARTTLS: false, auth, logger: false });
  await imap.connect();
  const builder = createTransport({ streamTransport: true, buffer: true });
  for (let n = 0; n < MAILS; n += 1) {
    const { message } = await builder.sendMail({
      from: `ann${n % 3}@people.example`,
      to: ADDRESS,
      subject: `Question ${n}`,
      messageId: `<${n}@people.example>`,
      text: `question ${n}`,
    });
    await imap.append("INBOX", message as Buffer);
  }
  await imap.logout();
}
