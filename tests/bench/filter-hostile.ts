// Measures what 50 hostile regular expressions do to the event loop at 200 messages a second, through the real host.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { Gateway } from "@parley/core";
import { HOSTILE_PATTERNS } from "../harness/hostile-patterns.ts";
import { startParley } from "../harness/parley.ts";
import { createFakeChannel } from "../harness/plugins/fake-channel.ts";

const SECONDS = 20;
const PER_SECOND = 200;
const hostile = HOSTILE_PATTERNS.slice(0, 50);

async function run(name: string, patterns: readonly (readonly [string, string])[]): Promise<void> {
  const fake = createFakeChannel();
  await using parley = await startParley({ plugins: [fake.plugin] });
  const api = await parley.signIn();
  await api.post("/api/channels", { id: fake.id, name: "Fake", type: fake.id, transport: "bridge" });
  const file = join(parley.root, "resources/config/message_filter.json");
  mkdirSync(dirname(file), { recursive: true });
  const global = [
    ...patterns.map(([pattern], index) => ({ id: `rule_h${index}`, pattern, type: "regex" })),
    { id: "rule_word", pattern: "badword" },
  ];
  writeFileSync(file, JSON.stringify({ enabled: true, global, channels: {} }));

  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const memory = process.memoryUsage().rss;
  const waits: number[] = [];
  let rejected = 0;
  const began = performance.now();
  for (let sent = 0; sent < SECONDS * PER_SECOND; sent += 1) {
    const due = began + (sent * 1000) / PER_SECOND;
    const left = due - performance.now();
    if (left > 1) await new Promise((resolve) => setTimeout(resolve, left));
    const [, text] = hostile[sent % hostile.length] as readonly [string, string];
    const asked = performance.now();
    fake.say(String(sent % 200), `badword ${text}`).then(
      () => waits.push(performance.now() - asked),
      () => (rejected += 1),
    );
  }
  delay.disable();
  await parley.host.get(Gateway).idle();
  const all = performance.now() - began;
  const leaked = fake.sent.filter(({ text }) => text.includes("badword")).length;
  const { text } = await api.send("GET", "/metrics");
  const metric = (one: string) => new RegExp(`^${one} (.*)$`, "m").exec(text)?.[1];
  waits.sort((a, b) => a - b);
  console.log(
    `${name}: event loop p50 ${formatMs(delay.percentile(50) / 1e6)} p99 ${formatMs(delay.percentile(99) / 1e6)} max ${formatMs(delay.max / 1e6)};`,
    `accepted ${waits.length} (p99 ${formatMs(waits[Math.floor(waits.length * 0.99)] ?? 0)}), refused ${rejected}, answered ${fake.sent.length} after ${formatMs(all)};`,
    `answers with the keyword ${leaked}; timeouts ${metric("parley_filter_regex_timeouts_total")},`,
    `set aside ${metric("parley_filter_quarantined_rules")}, threads ${metric("parley_filter_threads")};`,
    `memory +${Math.round((process.memoryUsage().rss - memory) / 1e6)} MB`,
  );
}

const formatMs = (value: number) => `${value.toFixed(1)} ms`;

await run("no regular expressions", []);
await run("50 hostile ones", hostile);
