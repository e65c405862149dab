import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { type Client, createClient } from "../../../tests/harness/http/client.ts";
import { type ParleyProcess, startProcess } from "../../../tests/harness/process.ts";
import { createSelfSignedCertificate } from "../../../tests/harness/servers/tls-server.ts";
import { hasInspircd, startInspircd, startTestUser, type TestUser } from "./servers.ts";

const QUESTIONS = 18;
/** Numbers of received answers at which the service is killed. */
const KILLED_AT = [4, 11];
const WITHIN_MS = 60_000;
const ROOMS = Array.from({ length: QUESTIONS }, (_, n) => `#room${n}`);
const PAUSE_MS = 300;
/** Number of lines sent at once, so that several can be in progress when the service is killed. */
const CONCURRENT_LINES = 5;

const until = <Found>(look: () => Found | Promise<Found>) => vi.waitFor(look, { timeout: WITHIN_MS, interval: 2 });

/** Counts the lines of each answer; every person is answered in a separate channel. */
const countAnswers = ({ lines }: TestUser) =>
  ROOMS.map((room) => lines.filter(({ command, params }) => command === "PRIVMSG" && params[0] === room).length);
const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0);

async function signedIn({ address }: ParleyProcess): Promise<Client> {
  const open = createClient(address, "");
  const login = { username: "admin", password: "correct horse" };
  return open.as((await open.post<{ token: string }>("/api/login", login)).token);
}

/** Returns the status of each delivery, with the error of dead ones. */
async function listStates(api: Client): Promise<readonly string[]> {
  const { items } = await api.get<{ items: readonly { status: string; error: string | null }[] }>(
    "/api/gateway/deliveries?limit=500",
  );
  return items.map(({ status, error }) => (status === "dead" ? (error ?? status) : status));
}

/** Asks all questions over TLS and kills the service while it answers. Returns the answers and the states of their deliveries. */
async function killWhileAnswering(onUnknown: "resend" | "review") {
  const certificate = createSelfSignedCertificate(1);
  await using server = await startInspircd(certificate);
  await using ann = await startTestUser(server.port, "ann");
  const root = mkdtempSync(join(tmpdir(), "parley-irc-"));
  mkdirSync(join(root, "node_modules"));
  execFileSync("npm", ["run", "--silent", "build"], { cwd: join(import.meta.dirname, "..") });
  symlinkSync(join(import.meta.dirname, ".."), join(root, "node_modules", "example-parley-adapter-irc"));
  writeFileSync(join(root, "config.ini"), "[plugins]\nirc = example-parley-adapter-irc\n[log]\nlevel = error\n");
  writeFileSync(join(root, "cert.pem"), certificate.cert);
  const env = { SVC_ADMIN_PASSWORD: "correct horse", NODE_EXTRA_CA_CERTS: join(root, "cert.pem") };
  let service = await startProcess({ root, env });
  await using running = new AsyncDisposableStack();
  running.defer(async () => {
    await service.stop();
    rmSync(root, { recursive: true, force: true });
  });
  const api = await signedIn(service);
  await api.post("/api/channels", {
    type: "irc",
    name: "Network",
    config: {
      server: `ircs://localhost:${server.securePort}`,
      nick: "parley",
      channels: ROOMS,
      pause_ms: PAUSE_MS,
      on_unknown: onUnknown,
    },
  });
  await ann.write(`JOIN ${ROOMS.join(",")}`);
  await until(async () => {
    await ann.write(`NAMES ${ROOMS.at(-1)}`);
    expect(ann.lines.some(({ command, params }) => command === "353" && params.at(-1)?.includes("parley"))).toBe(true);
  });
  await ann.write(...ROOMS.map((room, n) => `PRIVMSG ${room} :parley: question ${n}`));
  // Every stored message must be answered.
  await until(async () => expect(await listStates(api)).toHaveLength(QUESTIONS));
  for (const count of KILLED_AT) {
    await until(() => expect(sum(countAnswers(ann))).toBeGreaterThanOrEqual(count));
    service.child.kill("SIGKILL");
    await service.ended;
    service = await startProcess({ root, env });
  }
  const again = await signedIn(service);
  const states = await until(async () => {
    const all = await listStates(again);
    expect(all.filter((one) => !/^delivered$|^it may have been sent/.test(one))).toEqual([]);
    return all;
  });
  return { answers: countAnswers(ann), fates: states };
}

describe.skipIf(!hasInspircd)("a nick whose service is killed (needs the Debian package inspircd)", () => {
  test("answers everybody, and repeats at most the lines that were being sent", {
    timeout: 6 * WITHIN_MS,
  }, async () => {
    const { answers, fates } = await killWhileAnswering("resend");
    expect(new Set(fates)).toEqual(new Set(["delivered"]));
    expect(fates).toHaveLength(QUESTIONS);
    expect(Math.min(...answers)).toBe(1);
    expect(sum(answers)).toBeLessThanOrEqual(QUESTIONS + KILLED_AT.length * CONCURRENT_LINES);
  });

  test("repeats nothing when lines with an unknown outcome wait for review", { timeout: 6 * WITHIN_MS }, async () => {
    const { answers, fates } = await killWhileAnswering("review");
    const unknownCount = fates.filter((one) => one !== "delivered").length;
    expect(fates).toHaveLength(QUESTIONS);
    expect(Math.max(...answers)).toBe(1);
    expect(unknownCount).toBeLessThanOrEqual(KILLED_AT.length * CONCURRENT_LINES);
    // A line with an unknown outcome may be missing; every other line arrived.
    expect(answers.filter((count) => count === 0).length).toBeLessThanOrEqual(unknownCount);
  });
});
