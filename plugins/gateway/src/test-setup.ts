import Joi from "@hapi/joi";
import {
  type ChannelAdapter,
  ChannelAdapters,
  type ChannelConfig,
  type ChannelLink,
  Channels,
  Clock,
  ConfigSections,
  Databases,
  definePlugin,
  Environment,
  fixedStatement,
  Gateway,
  HostControl,
  type IdempotencyMode,
  type InboundMessage,
  LiveEvents,
  type OutboundMessage,
  Paths,
  Redaction,
  type Session,
  Sessions,
  Settings,
  systemClock,
  TaskKinds,
  type Turn,
  type TurnContext,
  type TurnStage,
  TurnStages,
  withEffects,
} from "@parley/core";
import {
  memoryDatabases,
  type RecordedEvents,
  recordedEvents,
  type StartedPlugins,
  startPlugins,
  testSettings,
} from "@parley/testing";
import { afterEach, beforeEach } from "vitest";
import gateway from "./index.ts";

/** State that the tests of a file share. */
interface State {
  databases: Databases;
  events: RecordedEvents;
  answered: string[];
  sent: OutboundMessage[];
  running: StartedPlugins;
  /** Implementation of the reply stage; tests replace it. */
  answer: (turn: Turn, signal: AbortSignal, context: TurnContext) => Promise<string>;
  applied: string[];
  /** The adapter's timeout of a send in milliseconds. */
  sendTimeoutMs: number;
  /** While true, a word is removed from every reply. */
  isScreening: boolean;
  /** Offset of the wall clock in milliseconds. */
  turnTimeoutS: number;
  jumpMs: number;
  count: number;
  config: ChannelConfig["config"];
  isStreaming: boolean;
}

export const state = {
  sendTimeoutMs: 30_000,
  isScreening: false,
  turnTimeoutS: 60,
  jumpMs: 0,
  count: 0,
  config: {},
  isStreaming: false,
} as State;

const stages = definePlugin({
  id: "stages",
  register({ contribute }) {
    contribute(
      TurnStages,
      (): TurnStage => ({
        id: "test.answer",
        phase: "answer",
        async run(turn, context) {
          const id = `msg_${turn.traceId}`;
          context.emit({ type: "start", messageId: id, sender: "Mia" });
          const text = await state.answer(turn, context.signal, context);
          for (const word of text.split(/(?<= )/)) context.emit({ type: "delta", messageId: id, text: word });
          state.answered.push(turn.text);
          return { ...turn, replies: [{ id, kind: "normal", text, attachments: [] }] };
        },
      }),
    );
  },
});

/** Counts the writes of a stage: those committed with the reply, and those independent of it. */
const counting = definePlugin({
  id: "counting",
  register({ contribute }) {
    contribute(
      TurnStages,
      (): TurnStage => ({
        id: "counting.effects",
        phase: "context",
        async run(turn, { record }) {
          const count = (name: string) => ({ query: fixedStatement(COUNT, [name]) });
          record(count("spent"));
          const answer = {
            writes: [count("answered"), count("answered")],
            applied: () => void state.applied.push("answered"),
          };
          return withEffects(turn, { isEarly: true, writes: [count("said")] }, answer);
        },
      }),
    );
  },
});
const COUNT = `insert into counts (name, count) values (?, 1) on conflict (name) do update set count = counts.count + 1`;

/** Sends a message in a separate session and waits for the reply, as a heartbeat does. */
const asking = definePlugin({
  id: "asking",
  register({ contribute }) {
    contribute(TaskKinds, (from) => ({
      kind: "custom" as const,
      has: async () => true,
      async run(taskId, { signal }) {
        const gateway = from.get(Gateway);
        const { traceId } = await gateway.accept(createMessage(`from ${taskId}`, { sessionId: `test:${taskId}` }));
        await gateway.outcome(traceId, signal);
      },
    }));
  },
});
const adapters = definePlugin({
  id: "adapters",
  register({ contribute }) {
    contribute(
      ChannelAdapters,
      (): ChannelAdapter => ({
        type: "test",
        transports: ["webhook"],
        capabilities: {},
        settings: Joi.object(),
        idempotency: "none",
        get sendTimeoutMs() {
          return state.sendTimeoutMs;
        },
        open: async () => receiving,
      }),
    );
  },
});
const screen = definePlugin({
  id: "screen",
  register({ contribute }) {
    contribute(
      TurnStages,
      (): TurnStage => ({
        id: "test.screen",
        phase: "screen-reply",
        guardsStream: () => state.isScreening,
        run: async (turn) => ({
          ...turn,
          replies: turn.replies.map((reply) =>
            state.isScreening ? { ...reply, text: reply.text.replace("secret ", "") } : reply,
          ),
        }),
      }),
    );
  },
});
export const start = () =>
  startPlugins([stages, screen, counting, asking, adapters, gateway], {
    services: [
      [Databases, state.databases],
      [
        Sessions,
        {
          openFor: async ({ sessionId }: InboundMessage) => ({ id: sessionId, burst: "off" }) as Session,
          messagesById: async () => [],
          find: async () => undefined,
          prepareDeliveryError: async () => undefined,
          recordUnsaid: async () => {},
        },
      ],
      [
        Settings,
        testSettings({
          "gateway.concurrency": 4,
          "chat.turn_timeout_s": state.turnTimeoutS,
          "automation.run_timeout_s": 60,
        }),
      ],
      [LiveEvents, state.events],
      [Redaction, { mask: (value: unknown) => value, toMaskedJson: JSON.stringify, remember() {} }],
      [Clock, { now: () => systemClock.now() + state.jumpMs, monotonic: () => systemClock.monotonic() }],
      [Environment, { get: () => undefined, secret: () => undefined }],
      [ConfigSections, { section: () => ({}) }],
      [Paths, { root: "/nowhere", data: "/nowhere" }],
      [HostControl, { version: "1.2.3" }],
      [Channels, { get: () => channel, list: () => [channel], link: () => undefined }],
    ],
  });
export const createMessage = (text: string, more: Partial<InboundMessage> = {}): InboundMessage => ({
  channelId: "test",
  sessionId: "test:1",
  conversation: { id: "1", isGroup: false },
  kind: "message",
  sender: { id: "u1", name: "Ada", isAdmin: false },
  text,
  attachments: [],
  dedupeKey: `key-${++state.count}`,
  addressed: true,
  source: "test",
  ...more,
});
export const untilStopped = (_turn: Turn, signal: AbortSignal) =>
  new Promise<string>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
export const accept = (text: string, more?: Partial<InboundMessage>) =>
  state.running.get(Gateway).accept(createMessage(text, more));
export const outcome = (traceId: string) => state.running.get(Gateway).outcome(traceId, AbortSignal.timeout(5000));
export const channel: ChannelConfig = {
  id: "test",
  name: "test",
  type: "test",
  transport: "webhook",
  enabled: true,
  get config() {
    return state.config;
  },
  capabilities: {
    get supports_stream() {
      return state.isStreaming;
    },
    supports_progress_updates: false,
    supports_file_send: false,
    supports_stop: false,
  },
};
export const linkThat = (send: ChannelLink["send"], more: Partial<ChannelLink> = {}): ChannelLink => ({
  send,
  ...more,
  async [Symbol.asyncDispose]() {},
});
export const receiving = linkThat(async (message) => {
  state.sent.push(message);
  return { quality: "confirmed" };
});
export const connect = (link = receiving, mode: IdempotencyMode = "none") =>
  state.running.get(Gateway).connect(channel, link, mode);
export const idle = () => state.running.get(Gateway).idle();

/** Sets up the tests of a file. */
export function useGateway(): void {
  beforeEach(async () => {
    state.databases = memoryDatabases();
    await state.databases.main.write([
      { query: fixedStatement("create table counts (name text primary key, count integer not null)", []) },
    ]);
    state.applied = [];
    state.events = recordedEvents();
    state.answered = [];
    state.sent = [];
    state.isScreening = false;
    state.sendTimeoutMs = 30_000;
    state.turnTimeoutS = 60;
    state.jumpMs = 0;
    state.config = {};
    state.answer = async ({ text }) => `re: ${text}`;
    state.running = await start();
  });
  afterEach(() => state.running[Symbol.asyncDispose]());
}
