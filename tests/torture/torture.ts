import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import type { InboundMessage } from "@parley/core";
import type { Platform } from "@parley/simulators";
import { type Client, createClient } from "../harness/client.ts";
import { freePort } from "../harness/free-port.ts";
import { type ParleyProcess, startProcess } from "../harness/process.ts";
import type { TorturedPlatform } from "./platforms.ts";

const PASSWORD = "correct horse";
const CONVERSATIONS = 3;
const MESSAGES = 2;
/** A place that nobody comes by is no test of it. */
const DIES_WITHIN_MS = 20_000;
const SETTLES_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 25;

export interface TortureOptions {
  readonly platforms: readonly TorturedPlatform[];
  /** Where the service is killed. */
  readonly points: readonly string[];
  /** How often at each, every time with other faults. */
  readonly seeds: readonly number[];
  readonly tell?: (line: string) => void;
}

export interface TortureResult {
  readonly kills: number;
  readonly accepted: number;
  /** Answers that may have arrived and were left to a person. */
  readonly inDoubt: number;
  /** What was promised and not kept. */
  readonly problems: readonly string[];
}

interface Patient extends TorturedPlatform {
  readonly platform: Platform<unknown>;
  /** What people said, in order, by conversation. */
  readonly said: Map<string, string[]>;
}

/**
 * Kills the service at each place while people talk on every platform, starts it again, and looks whether what was
 * promised was kept: nothing accepted is lost or stuck, nothing is answered twice, and everything stays in order.
 */
export async function torture({ platforms, points, seeds, tell = () => {} }: TortureOptions): Promise<TortureResult> {
  const root = mkdtempSync(join(tmpdir(), "parley-torture-"));
  const failPoint = join(root, "failpoint");
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const plugins = Object.assign({}, ...platforms.map((one) => one.plugins)) as Readonly<Record<string, string>>;
  const lines = Object.entries(plugins).map(([id, path]) => `${id} = ${path}`);
  const limits = "limit_user_per_minute = 0\nlimit_conversation_per_minute = 0";
  const config = `[plugins]\n${lines.join("\n")}\n[plugin.gateway]\n${limits}\n[log]\nlevel = error\nfile = off\n`;
  writeFileSync(join(root, "config.ini"), config);
  const env = {
    SVC_ADMIN_PASSWORD: PASSWORD,
    SVC_TEST: "1",
    SVC_FAILPOINT: `file:${failPoint}`,
    ...Object.assign({}, ...platforms.map((one) => one.env)),
  };
  const start = () => startProcess({ root, env, args: ["--port", String(port)] });
  const patients: Patient[] = [];
  let service: ParleyProcess | undefined;
  try {
    service = await start();
    const api = await signIn(service.address);
    for (const one of platforms) patients.push(await admitted(one, seeds[0] ?? 0, address, api));
    let kills = 0;
    for (const seed of seeds) {
      for (const point of points) {
        const nth = 1 + ((seed + kills) % 3);
        writeFileSync(failPoint, `${point}@${nth}`);
        const talking = patients.map((patient) => talk(patient, `${point} ${seed}`));
        const end = await Promise.race([service.ended, wait(DIES_WITHIN_MS, undefined)]);
        writeFileSync(failPoint, "");
        if (end !== "SIGKILL") throw new Error(`${point}@${nth}: the service went on, or ended with ${end}`);
        kills += 1;
        service = await start();
        await Promise.all(talking);
        await settled(root, patients, `${point}@${nth}, seed ${seed}`);
        tell(`${point}@${nth}, seed ${seed}: killed, started, settled`);
      }
    }
    return { kills, ...judged(root, patients) };
  } finally {
    service?.child.kill("SIGKILL");
    await service?.ended;
    for (const { platform } of patients) await platform[Symbol.asyncDispose]();
    rmSync(root, { recursive: true, force: true });
  }
}

async function signIn(address: string): Promise<Client> {
  const open = createClient(address, "");
  const { token } = await open.post<{ token: string }>("/api/login", { username: "admin", password: PASSWORD });
  return open.as(token);
}

async function admitted(one: TorturedPlatform, seed: number, address: string, api: Client): Promise<Patient> {
  const { type, transport } = one;
  const id = idOf(one);
  const { platform, config } = await one.start({ seed, webhook: `${address}/api/gateway/${id}/webhook` });
  if (one.isBuiltIn) {
    await api.put(`/api/channels/${id}`, { config });
    await api.post(`/api/channels/${id}/toggle`, { enabled: true });
  } else await api.post("/api/channels", { id, name: type, type, transport, config });
  for (;;) {
    const { items } = await api.get<{ items: readonly { id: string; status: { connected: boolean } }[] }>(
      "/api/channels",
    );
    if (items.find((row) => row.id === id)?.status.connected) break;
    await wait(LOOK_EVERY_MS);
  }
  return { ...one, platform, said: new Map() };
}

function idOf({ type, isBuiltIn }: TorturedPlatform): string {
  return isBuiltIn ? type : `${type}_t`;
}

/** People in all conversations at once; each says one thing after the other. */
async function talk({ platform, conversation, said }: Patient, about: string): Promise<void> {
  const one = async (number: number) => {
    const id = conversation(number);
    for (let message = 0; message < MESSAGES; message += 1) {
      const text = `(${about} ${number} ${message})`;
      said.set(id, [...(said.get(id) ?? []), text]);
      await platform.say(id, text);
    }
  };
  await Promise.all(Array.from({ length: CONVERSATIONS }, (_, number) => one(number)));
}

interface Fate {
  readonly channel: string;
  readonly conversation: string;
  readonly text: string;
  readonly state: string;
  readonly deliveries: readonly { readonly state: string; readonly cause: string | null }[];
}

const OVER = new Set(["done", "ignored", "skipped", "stopped", "expired", "failed", "dead", "delivered"]);

/** What became of every accepted message, from the files themselves. */
function fatesIn(root: string): readonly Fate[] {
  const database = new DatabaseSync(join(root, "data", "gateway.db"), { readOnly: true, timeout: 5_000 });
  try {
    type Row = Readonly<Record<"trace_id" | "channel_id" | "state" | "message", string>> & { cause: string | null };
    const rows = (table: string) => database.prepare(`select * from ${table} order by seq`).all() as unknown as Row[];
    const deliveries = Map.groupBy(rows("outbox"), ({ trace_id }) => trace_id);
    return rows("inbox").map(({ trace_id, channel_id, state, message }) => {
      const { text, conversation } = JSON.parse(message) as InboundMessage;
      const own = (deliveries.get(trace_id) ?? []).map((row) => ({ state: row.state, cause: row.cause }));
      return { channel: channel_id, conversation: conversation.id, text, state, deliveries: own };
    });
  } finally {
    database.close();
  }
}

async function settled(root: string, patients: readonly Patient[], when: string): Promise<void> {
  for (const from = performance.now(); ; await wait(LOOK_EVERY_MS)) {
    const fates = fatesIn(root);
    const open = fates.filter(
      ({ state, deliveries }) => !OVER.has(state) || deliveries.some((one) => !OVER.has(one.state)),
    );
    const taken = new Set(fates.map(({ text }) => text));
    const missing = patients
      .filter(({ mayLose }) => !mayLose)
      .flatMap(({ said }) => [...said.values()].flat().filter((text) => !taken.has(text)));
    if (open.length + missing.length === 0) return;
    if (performance.now() - from > SETTLES_WITHIN_MS) {
      throw new Error(`${when}: stuck after a minute: ${JSON.stringify({ open, missing })}`);
    }
  }
}

function judged(root: string, patients: readonly Patient[]): Omit<TortureResult, "kills"> {
  const fates = fatesIn(root);
  const problems = patients.flatMap((patient) => {
    const own = fates.filter(({ channel }) => channel === idOf(patient));
    return [...own.flatMap((fate) => problemsOf(fate, own, patient)), ...disorder(patient)];
  });
  const inDoubt = fates
    .flatMap(({ deliveries }) => deliveries)
    .filter(({ cause, state }) => state === "dead" && cause === "outcome_unknown");
  return { accepted: fates.length, inDoubt: inDoubt.length, problems };
}

/** What is wrong with what became of one accepted message. */
function problemsOf(fate: Fate, all: readonly Fate[], { platform, mode, type }: Patient): readonly string[] {
  const { text, conversation, state, deliveries } = fate;
  const shown = platform.shown(conversation).filter((one) => one.includes(text)).length;
  const [delivery] = deliveries;
  const wrong = (what: string) => [`${type} ${text} ${what}: ${JSON.stringify({ shown, state, deliveries })}`];
  if (all.filter((one) => one.text === text).length > 1) return wrong("was taken twice");
  if (state !== "done") return wrong("was not worked on");
  if (!delivery || deliveries.length > 1) return wrong("has not one answer");
  if (shown > 1) return wrong("is answered twice");
  if (delivery.state === "delivered") return shown === 1 ? [] : wrong("is said to be answered");
  const isInDoubt = delivery.cause === "outcome_unknown" && (mode === "none" || mode === "reconcile");
  return isInDoubt ? [] : wrong("is not answered");
}

/** Answers come in the order in which the service took the messages. */
function disorder({ platform, said, type, mayLose }: Patient): readonly string[] {
  // What such a platform did not say to anybody is looked up later.
  if (mayLose) return [];
  return [...said].flatMap(([conversation, texts]) => {
    const at = platform.shown(conversation).map((answer) => texts.findIndex((text) => answer.includes(text)));
    const rounds = at.map((index) => Math.floor(index / MESSAGES));
    const isOrdered = rounds.every((round, index) => index === 0 || round >= (rounds[index - 1] ?? 0));
    return isOrdered ? [] : [`${type} ${conversation}: answers out of order: ${at.join(" ")}`];
  });
}
