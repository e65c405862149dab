import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type ParsedMail, simpleParser } from "mailparser";
import { SMTPServer } from "smtp-server";

const DOVECOT = "/usr/sbin/dovecot";
const MAIL = { user: "mail", id: 8 };
const START_TIMEOUT_MS = 10_000;

/** True on machines with the Debian package `dovecot-imapd`. */
export const hasDovecot = existsSync(DOVECOT) && userInfo().uid === 0;

export interface Dovecot extends AsyncDisposable {
  readonly port: number;
}

/** Starts a real IMAP server on 127.0.0.1 that accepts every user with one password; each has a mailbox. */
export async function startDovecot(password: string): Promise<Dovecot> {
  const folder = mkdtempSync(join(tmpdir(), "parley-dovecot-"));
  chmodSync(folder, 0o777);
  mkdirSync(join(folder, "run"));
  const port = await findFreePort();
  writeFileSync(
    join(folder, "dovecot.conf"),
    `protocols = imap
listen = 127.0.0.1
base_dir = ${join(folder, "run")}
log_path = ${join(folder, "log")}
ssl = no
mailbox_idle_check_interval = 1 secs
disable_plaintext_auth = no
mail_location = maildir:~/Maildir
first_valid_uid = ${MAIL.id}
auth_username_format = %Ln
passdb {
  driver = static
  args = password=${password}
}
userdb {
  driver = static
  args = uid=${MAIL.user} gid=${MAIL.user} home=${folder}/%u
}
service imap-login {
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
`,
  );
  const server = spawn(DOVECOT, ["-F", "-c", join(folder, "dovecot.conf")], { stdio: "ignore" });
  await waitUntilListening(port, server);
  return {
    port,
    async [Symbol.asyncDispose]() {
      server.kill();
      if (server.exitCode === null) await once(server, "exit");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function waitUntilListening(port: number, server: ChildProcess): Promise<void> {
  for (const until = performance.now() + START_TIMEOUT_MS; ; await wait(20)) {
    const socket = connect(port, "127.0.0.1");
    const isThere = await once(socket, "connect").then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isThere) return;
    if (server.exitCode !== null || performance.now() > until) throw new Error("dovecot does not start");
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** A proxy to a server, whose connections a test can cut. */
export interface TestProxy extends AsyncDisposable {
  readonly port: number;
  disconnect(): void;
}

export async function startTestProxy(to: number): Promise<TestProxy> {
  const ends = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(to, "127.0.0.1");
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.add(one);
      one.on("error", () => {});
      one.on("close", () => {
        ends.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const cut = () => {
    for (const end of ends) end.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    disconnect: cut,
    async [Symbol.asyncDispose]() {
      cut();
      server.close();
      await once(server, "close");
    },
  };
}

/** Failure of the next mail: a reply code, a rejected login, or a connection cut after it has the mail. */
export type SmtpFault = number | "auth" | "cut";

/** A real SMTP server on 127.0.0.1 that stores received mail. */
export interface Smtp extends AsyncDisposable {
  readonly port: number;
  readonly mails: readonly ParsedMail[];
  fault: SmtpFault | undefined;
}

export async function startSmtp(password: string): Promise<Smtp> {
  const mails: ParsedMail[] = [];
  const takeFault = () => {
    const { fault } = smtp;
    smtp.fault = undefined;
    return fault;
  };
  const sockets = new Map<string, Socket>();
  const server = new SMTPServer({
    allowInsecureAuth: true,
    disableReverseLookup: true,
    logger: false,
    onAuth(auth, _session, done) {
      const isRejected = auth.password !== password || (smtp.fault === "auth" && takeFault() !== undefined);
      if (isRejected) done(Object.assign(new Error("not with this password"), { responseCode: 535 }));
      else done(null, { user: auth.username ?? "" });
    },
    onData(stream, session, done) {
      simpleParser(stream).then((mail) => {
        const fault = takeFault();
        if (typeof fault === "number") return done(Object.assign(new Error("not now"), { responseCode: fault }));
        mails.push(mail);
        if (fault === "cut") sockets.get(`${session.remotePort}`)?.destroy();
        else done();
      }, done);
    },
  });
  server.server.on("connection", (socket: Socket) => {
    const { remotePort } = socket;
    sockets.set(`${remotePort}`, socket);
    socket.on("close", () => sockets.delete(`${remotePort}`));
  });
  server.on("error", () => {});
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  const smtp: Smtp = {
    port: (server.server.address() as AddressInfo).port,
    mails,
    fault: undefined,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return smtp;
}
