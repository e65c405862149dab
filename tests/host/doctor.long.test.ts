import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { HostControl } from "@parley/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startParley } from "../harness/parley.ts";
import { runParley } from "../harness/process.ts";
import { startTlsServer } from "../harness/servers/tls-server.ts";

interface Finding {
  readonly about: string;
  readonly level: string;
  readonly said: string;
  readonly advice?: string;
}

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "parley-doctor-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function runDoctor(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = runParley({ root, args: ["doctor", ...args], env });
  let [out, err] = ["", ""];
  child.stdout?.on("data", (text) => (out += text));
  child.stderr?.on("data", (text) => (err += text));
  const [code] = await once(child, "close");
  return { code, out, err };
}
async function readFindings(env: Readonly<Record<string, string>> = {}) {
  const { code, out, err } = await runDoctor(["--json"], env);
  expect(err).toBe("");
  const { findings } = JSON.parse(out) as { readonly findings: readonly Finding[] };
  return { code, findings, of: (about: string) => findings.find((one) => one.about === about) };
}
const changeDatabase = (text: string) => {
  using database = new DatabaseSync(join(root, "data", "parley.db"));
  database.exec(text);
};
/** Creates a folder in which a service has run, with a fresh backup. */
async function createUsedFolder() {
  await using parley = await startParley({ root });
  await parley.host.get(HostControl).backUp(join(root, "data", "backups"), 1);
}
const DEAD_JOB =
  "insert into jobs (id, kind, state, priority, due_ms, payload, created_ms) values ('job_dead', 'test.kind', 'dead', 0, 1, '{}', 1)";
const LATE_JOB =
  "insert into jobs (id, kind, state, priority, due_ms, payload, created_ms) values ('job_late', 'test.kind', 'later', 0, 86400000, '{}', 1)";
const UNSENT =
  "insert into outbox (id, position, trace_id, channel_id, session_id, conversation_id, state, message, next_ms, created_ms, updated_ms) values ('out_1', 1, 't', 'c', 's', 'k', 'pending', '{}', 1, 86400000, 1)";
const DEAD_ANSWER = UNSENT.replace("'out_1', 1", "'out_2', 2").replace("'pending'", "'dead'");

describe("the doctor of a stopped service", () => {
  test("finds no problem in a healthy folder, and ends with 0 or with 2 for limits of this machine", async () => {
    await createUsedFolder();
    const { code, of, findings } = await readFindings();
    expect(of("jobs")).toMatchObject({ level: "ok", said: "nothing is waiting and nothing has failed for good" });
    expect(of("gateway")).toMatchObject({ level: "ok", said: "nothing is waiting and nothing has failed for good" });
    expect(of("service")).toMatchObject({ said: "no service is running in this folder" });
    expect(findings.filter(({ level }) => level === "problem")).toEqual([]);
    expect(code).toBe(findings.some(({ level }) => level === "warning") ? 2 : 0);
  });

  test("reports stuck and failed work, in words, with advice", async () => {
    await createUsedFolder();
    for (const row of [DEAD_JOB, LATE_JOB, UNSENT, DEAD_ANSWER]) changeDatabase(row);
    const { code, findings } = await readFindings();
    expect(code).toBe(2);
    const wrong = findings.filter(({ about }) => about === "jobs" || about === "gateway");
    expect(wrong.map((one) => `${one.level} ${one.said}`)).toEqual(
      expect.arrayContaining([
        "warning 1 job is overdue, the first since 1970-01-02T00:00:00.000Z",
        "warning 1 job failed for good",
        "warning 1 answer is not delivered, the first since 1970-01-02T00:00:00.000Z",
        "warning 1 message or answer could not be delivered and waits for a decision",
      ]),
    );
    expect(wrong).toHaveLength(4);
    const { out } = await runDoctor([]);
    expect(out).toMatch(/^warning jobs: 1 job is overdue, .*\n {8}→ start the service/m);
    expect(out).toMatch(/^ok {6}configuration: the configuration and the plugins fit together$/m);
  });

  test("uses the language of the terminal, or the requested one", async () => {
    await createUsedFolder();
    changeDatabase(DEAD_JOB);
    const chinese = /^警告 {4}jobs: 1 个后台任务最终失败\n {8}→ 请在“后台任务”页面查看原因/m;
    expect((await runDoctor([], { LANG: "zh_CN.UTF-8" })).out).toMatch(chinese);
    expect((await runDoctor(["--lang", "en"], { LANG: "zh_CN.UTF-8" })).out).toContain("1 job failed for good");
  });

  test("speaks a language of the folder languages/, and refuses one that is not installed", async () => {
    await createUsedFolder();
    changeDatabase(DEAD_JOB);
    mkdirSync(join(root, "languages"));
    const texts = {
      "{count, plural, one {# job} other {# jobs}} failed for good":
        "{count, plural, one {# Auftrag} other {# Aufträge}} endgültig gescheitert",
      warning: "Warnung",
    };
    writeFileSync(join(root, "languages", "de.json"), JSON.stringify({ name: "Deutsch", texts }));
    expect((await runDoctor(["--lang", "de"])).out).toMatch(/^Warnung jobs: 1 Auftrag endgültig gescheitert$/m);
    expect((await runDoctor([], { LANG: "de_DE.UTF-8" })).out).toContain("1 Auftrag endgültig gescheitert");
    const { code, err } = await runDoctor(["--lang", "fr"]);
    expect([code, err]).toEqual([1, expect.stringContaining("there is no language 'fr': use one of en, zh, de")]);
  });

  test("reports a missing folder, and reads no table", async () => {
    const { of } = await readFindings();
    expect(of("folder")).toMatchObject({ level: "ok" });
    expect(of("jobs")).toBeUndefined();
  });
});

test("the doctor of a running service reports its findings, each once", async () => {
  await createUsedFolder();
  changeDatabase(DEAD_JOB);
  await using parley = await startParley({ root });
  const api = await parley.signIn();
  const { secret } = await api.post<{ secret: string }>("/api/api-keys", { name: "doctor", scopes: ["read"] });
  const { of, findings, code } = await readFindings({ PARLEY_TOKEN: secret });
  expect(of("service")).toMatchObject({ level: "ok", said: expect.stringContaining("is up") });
  expect(of("version")).toMatchObject({ level: "ok" });
  expect(findings).toContainEqual({
    about: "jobs",
    level: "warning",
    said: "1 job failed for good",
    advice: "see the reason on the Jobs page, then run them again or dismiss them",
  });
  const wrong = findings.filter(({ level }) => level !== "ok");
  expect(new Set(wrong.map((one) => one.said)).size).toBe(wrong.length);
  expect(wrong.filter(({ said: text }) => /failed for good/.test(text))).toHaveLength(1);
  expect(wrong.filter(({ said: text }) => /backup/.test(text)).length).toBeLessThanOrEqual(1);
  expect(code).toBe(2);
});

describe("certificates", () => {
  const withAddresses = (addresses: readonly string[], publicUrl: string) => {
    mkdirSync(join(root, "data"), { recursive: true });
    writeFileSync(join(root, "config.ini"), `[web]\npublic_base_url = ${publicUrl}\n`);
    const channels = addresses.map((outbound_url, at) => ({ id: `shop-${at}`, config: { outbound_url } }));
    const off = { id: "off", enabled: false, config: { outbound_url: "https://never.asked.invalid/" } };
    writeFileSync(join(root, "data", "channels.json"), JSON.stringify({ channels: [...channels, off] }));
  };
  const aboutOf = (address: string) => `certificate ${new URL(address).host}`;

  test("are checked on incoming and outgoing connections: expired, expiring soon, and untrusted ones", async () => {
    await using good = await startTlsServer(90);
    await using ending = await startTlsServer(10);
    await using ended = await startTlsServer(-2);
    await using strange = await startTlsServer(90);
    const authorities = join(root, "authorities.pem");
    for (const server of [good, ending, ended]) server.keep(authorities);
    withAddresses(
      [ending, ended, strange].map(({ address }) => `${address}/hook`),
      good.address,
    );
    const { of, findings, code } = await readFindings({ NODE_EXTRA_CA_CERTS: authorities });
    expect(of(aboutOf(good.address))).toMatchObject({
      level: "ok",
      said: expect.stringMatching(/^valid until 20\d\d-/),
    });
    expect(of(aboutOf(ending.address))).toMatchObject({
      level: "warning",
      said: expect.stringMatching(/^valid only until/),
    });
    expect(of(aboutOf(ended.address))).toMatchObject({
      level: "problem",
      said: expect.stringMatching(/^expired on 20/),
    });
    expect(of(aboutOf(strange.address))).toMatchObject({
      level: "problem",
      said: expect.stringContaining("not trusted"),
    });
    expect(findings.filter(({ about }) => about.startsWith("certificate "))).toHaveLength(4);
    expect(code).toBe(1);
  });

  test("that cannot be checked within 5 seconds are reported as such, and delay nobody longer", async () => {
    // Accepts the connection and sends nothing.
    const silent = createServer(() => {}).listen(0, "127.0.0.1");
    await once(silent, "listening");
    const address = `https://127.0.0.1:${(silent.address() as { port: number }).port}`;
    withAddresses([address, "https://169.254.169.254/latest"], "");
    const begun = performance.now();
    const { of } = await readFindings();
    silent.close();
    expect(of(aboutOf(address))).toMatchObject({
      level: "warning",
      said: expect.stringContaining("no answer within 5 s"),
    });
    // Metadata addresses of clouds are never contacted.
    expect(of("certificate 169.254.169.254")).toMatchObject({ said: expect.stringContaining("are not allowed") });
    expect(performance.now() - begun).toBeLessThan(30_000);
  });
});
