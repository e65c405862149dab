import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type Line, parseLine } from "./line.ts";

const INSPIRCD = "/usr/sbin/inspircd";
const NGIRCD = "/usr/sbin/ngircd";
const ATHEME = "/usr/bin/atheme-services";
/** Output of a server that is ready for clients. */
const READY_PATTERN = /is now running|ready\.$|finished synching/;
const EXTENSIONS = "accounttag batch ctctags echomessage labeledresponse msgid servertime".split(" ");
const SERVICES = "services.example.org";
const MODULES = [
  "cap",
  "ircv3",
  ...EXTENSIONS.map((name) => `ircv3_${name}`),
  "botmode",
  "callerid",
  "services_account",
  "spanningtree",
  "sasl",
];

/** True on machines with the Debian package `inspircd`. */
export const hasInspircd = existsSync(INSPIRCD);
/** True on machines with the Debian packages `inspircd` and `atheme-services`. */
export const hasServices = hasInspircd && existsSync(ATHEME);
/** True on machines with the Debian package `ngircd`. */
export const hasNgircd = existsSync(NGIRCD);

export interface IrcServer extends AsyncDisposable {
  readonly port: number;
}

/** A server's certificate. */
export interface Certificate {
  readonly cert: string;
  readonly key: string | Uint8Array;
}

export interface Inspircd extends IrcServer {
  readonly securePort: number;
  readonly servicesPort: number;
}

/** Starts a server with the extensions of IRCv3; with a certificate it also listens for TLS, on another port. */
export async function startInspircd(certificate?: Certificate): Promise<Inspircd> {
  const [securePort, servicesPort] = [await findFreePort(), await findFreePort()];
  const server = await startServer(INSPIRCD, (folder, port) => ({
    args: ["--nofork", "--runasroot", `--config=${join(folder, "server.conf")}`],
    settings: `<server name="irc.example.org" description="test" network="Test" id="001">
<admin name="admin" nick="admin" email="admin@example.org">
<bind address="127.0.0.1" port="${port}" type="clients">
<connect allow="*" timeout="10" pingfreq="2m" recvq="64K" hardsendq="1M" fakelag="no" commandrate="1000000"
  threshold="1000" localmax="1000" globalmax="1000" resolvehostnames="no" useident="no">
<dns server="127.0.0.1" timeout="1">
<log method="file" type="*" level="sparse" target="${join(folder, "log")}">
<pid file="${join(folder, "pid")}">
<bind address="127.0.0.1" port="${servicesPort}" type="servers">
<link name="${SERVICES}" ipaddr="127.0.0.1" port="${servicesPort}" allowmask="127.0.0.0/8" sendpass="link" recvpass="link">
<uline server="${SERVICES}" silent="yes">
<sasl target="${SERVICES}">
${MODULES.map((name) => `<module name="${name}">`).join("\n")}
${certificate ? toTlsSettings(folder, securePort, certificate) : ""}
`,
  }));
  return { ...server, securePort, servicesPort };
}

function toTlsSettings(folder: string, port: number, { cert, key }: Certificate): string {
  const [certfile, keyfile] = [join(folder, "cert.pem"), join(folder, "key.pem")];
  writeFileSync(certfile, cert);
  writeFileSync(keyfile, key);
  return `<module name="ssl_gnutls">
<sslprofile name="own" provider="gnutls" certfile="${certfile}" keyfile="${keyfile}">
<bind address="127.0.0.1" port="${port}" type="clients" sslprofile="own">`;
}

/** Starts NickServ and SASL for a network. */
export function startServices({ servicesPort }: Inspircd): Promise<IrcServer> {
  return startServer(ATHEME, (folder) => ({
    args: ["-n", "-c", join(folder, "server.conf"), "-D", folder, "-l", join(folder, "log"), "-p", join(folder, "pid")],
    settings: `loadmodule "modules/protocol/inspircd";
loadmodule "modules/backend/opensex";
loadmodule "modules/crypto/pbkdf2v2";
loadmodule "modules/nickserv/main";
loadmodule "modules/nickserv/register";
loadmodule "modules/saslserv/main";
loadmodule "modules/saslserv/plain";
serverinfo { name = "${SERVICES}"; desc = "services"; numeric = "00A"; recontime = 1; netname = "Test";
  adminname = "admin"; adminemail = "admin@example.org"; registeremail = "admin@example.org"; mta = "/bin/true";
  hidehostsuffix = "users"; loglevel = { info; error; }; auth = none; casemapping = rfc1459; };
uplink "irc.example.org" { host = "127.0.0.1"; port = ${servicesPort};
  send_password = "link"; receive_password = "link"; };
nickserv { nick = "NickServ"; user = "services"; host = "${SERVICES}"; real = "accounts"; };
saslserv { nick = "SaslServ"; user = "services"; host = "${SERVICES}"; real = "sign-in"; };
general { };
`,
  }));
}

/** Starts a server that supports little more than the protocol of 1993 (RFC 1459). */
export function startNgircd(): Promise<IrcServer> {
  return startServer(NGIRCD, (folder, port) => ({
    args: ["--nodaemon", "--config", join(folder, "server.conf")],
    settings: `[Global]
Name = irc.example.org
Info = test
Listen = 127.0.0.1
Ports = ${port}
[Limits]
MaxConnectionsIP = 0
MaxPenaltyTime = 0
MaxNickLength = 30
[Options]
DNS = no
Ident = no
PAM = no
`,
  }));
}

async function startServer(
  program: string,
  configured: (folder: string, port: number) => { readonly args: readonly string[]; readonly settings: string },
): Promise<IrcServer> {
  const folder = mkdtempSync(join(tmpdir(), "parley-irc-"));
  const port = await findFreePort();
  const { args, settings } = configured(folder, port);
  writeFileSync(join(folder, "server.conf"), settings);
  // Runs in a separate folder, because a crashing server writes its core dump there.
  const server = spawn(program, args, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  const ended = once(server, "exit");
  const { promise: ready, resolve } = Promise.withResolvers<void>();
  for (const input of [server.stdout, server.stderr])
    createInterface({ input }).on("line", (line) => {
      if (READY_PATTERN.test(line)) resolve();
    });
  const failed = ended.then((): never => {
    throw new Error("the IRC server ended before it was ready");
  });
  await Promise.race([ready, failed]);
  failed.catch(() => undefined);
  return {
    port,
    async [Symbol.asyncDispose]() {
      server.kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** Fault of the link's next message. */
export type WireFault = { readonly target: string } | { readonly cutAfter: Promise<unknown> };

/** A proxy between a link and its server, by which a test can interfere. */
export interface TestProxy extends AsyncDisposable {
  readonly port: number;
  /** The nicks that the server gave the link, one for each connection. */
  readonly nicks: readonly string[];
  /** Lines the server sent to the link. */
  readonly lines: readonly string[];
  fault: WireFault | undefined;
  /** Sends a line to the link in the name of the server. */
  inject(line: string): void;
  disconnect(): void;
}

export async function startTestProxy(to: number): Promise<TestProxy> {
  const pairs = new Set<readonly [near: Socket, far: Socket]>();
  const nicks: string[] = [];
  const lines: string[] = [];
  const cut = () => {
    for (const ends of pairs) for (const end of ends) end.destroy();
  };
  const server = createServer((near) => {
    const far = connect(to, "127.0.0.1");
    const pair = [near, far] as const;
    let isMute = false;
    pairs.add(pair);
    for (const [one, other] of [pair, [far, near]] as const) {
      one.on("close", () => {
        pairs.delete(pair);
        other.destroy();
      });
    }
    forEachLine(near, (line) => {
      const { fault } = tap;
      if (!fault || !line.includes("PRIVMSG ")) return void far.write(`${line}\r\n`);
      tap.fault = undefined;
      if ("target" in fault) return void far.write(`${line.replace(/PRIVMSG \S+/, `PRIVMSG ${fault.target}`)}\r\n`);
      isMute = true;
      far.write(`${line}\r\n`);
      void fault.cutAfter.then(cut);
    });
    forEachLine(far, (line) => {
      if (isMute) return;
      const { command, params } = parseLine(line) ?? {};
      if (command === "001") nicks.push(params?.[0] ?? "");
      lines.push(line);
      near.write(`${line}\r\n`);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const tap: TestProxy = {
    port: (server.address() as AddressInfo).port,
    nicks,
    lines,
    fault: undefined,
    inject(line) {
      for (const [near] of pairs) near.write(`${line}\r\n`);
    },
    disconnect: cut,
    async [Symbol.asyncDispose]() {
      cut();
      server.close();
      await once(server, "close");
    },
  };
  return tap;
}

/** A person on the network. */
export interface TestUser extends AsyncDisposable {
  readonly nick: string;
  /** All received lines, in order. */
  readonly lines: readonly Line[];
  /** Resolves when the server has worked on them. */
  write(...commands: readonly string[]): Promise<void>;
  /** Returns the first line that matches, received already or later. */
  waitForLine(fits: (line: Line) => boolean): Promise<Line>;
}

export async function startTestUser(port: number, nick: string): Promise<TestUser> {
  const socket = connect(port, "127.0.0.1");
  const lines: Line[] = [];
  const waiting = new Set<(line: Line) => void>();
  let count = 0;
  forEachLine(socket, (text) => {
    const line = parseLine(text);
    if (!line) return;
    if (line.command === "PING") socket.write(`PONG :${line.params[0]}\r\n`);
    lines.push(line);
    for (const take of waiting) take(line);
  });
  const person: TestUser = {
    nick,
    lines,
    async write(...commands) {
      count += 1;
      const fence = `f${count}`;
      socket.write([...commands, `PING :${fence}`, ""].join("\r\n"));
      await person.waitForLine(({ command, params }) => command === "PONG" && params.at(-1) === fence);
    },
    async waitForLine(fits) {
      const found = lines.find(fits);
      if (found) return found;
      const { promise, resolve } = Promise.withResolvers<Line>();
      const take = (line: Line) => {
        if (fits(line)) resolve(line);
      };
      waiting.add(take);
      try {
        return await promise;
      } finally {
        waiting.delete(take);
      }
    },
    async [Symbol.asyncDispose]() {
      socket.destroy();
    },
  };
  socket.write(`NICK ${nick}\r\nUSER ${nick} 0 * :${nick}\r\n`);
  await person.waitForLine(({ command }) => command === "376" || command === "422");
  return person;
}

function forEachLine(socket: Socket, take: (line: string) => void): void {
  socket.setNoDelay(true).on("error", () => {});
  createInterface({ input: socket })
    .on("error", () => {})
    .on("line", take);
}
