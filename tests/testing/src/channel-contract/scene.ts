import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import {
  type Accepted,
  type ChannelConfig,
  type ChannelIo,
  type ChannelLink,
  DeliveryError,
  type InboundMessage,
  type InboundPress,
  type LinkState,
  notFound,
  type OutboundMessage,
} from "@parley/core";
import { checkInbound } from "@parley/core/channels";
import type { ChannelAdapterCase, FakePlatform, MakeCase } from "./case.ts";
import { expectRejection, waitUntil, withTimeout } from "./wait.ts";

export const CHANNEL = "contract";
const NO_CAPABILITIES = {
  supports_stream: false,
  supports_progress_updates: false,
  supports_file_send: false,
  supports_stop: false,
};

const FILE_BYTES = Buffer.from("%PDF-1.7 what goes out");
/** The single file stored by the service of a scene. */
export const STORED_FILE = {
  id: "file_contract",
  name: "report.pdf",
  safeName: "contract-report.pdf",
  url: "/static/files/contract-report.pdf",
  mimeType: "application/pdf",
  size: FILE_BYTES.length,
  sha256: createHash("sha256").update(FILE_BYTES).digest("hex"),
  bytes: FILE_BYTES,
} as const;

const files: ChannelIo["files"] = {
  async open(url) {
    if (url !== STORED_FILE.url) throw notFound("file", url);
    return { ...STORED_FILE, stream: () => Readable.from([FILE_BYTES]), bytes: async () => FILE_BYTES };
  },
  link: (url) => `https://parley.example${url}?exp=1&sig=s`,
};

/** The case with its platform connected once the link is up. */
interface SceneCase extends Omit<ChannelAdapterCase, "connect"> {
  connect(link: ChannelLink): Promise<FakePlatform>;
}

/** Environment of one check: an adapter, a fake service and a platform. */
export interface Scene {
  readonly given: SceneCase;
  /** Accepted messages, in order. */
  readonly accepted: InboundMessage[];
  /** Presses of elements, in order, and the reason for which the next ones have no effect. */
  readonly pressed: InboundPress[];
  refusal: string | undefined;
  readonly states: LinkState[];
  /** All log output of the adapter, as text. */
  readonly logged: string[];
  /** The environment; a check may change it. */
  readonly secrets: Record<string, string>;
  /** Stores a message; replaceable. */
  store: (message: InboundMessage) => Promise<void>;
  /** Network of adapters that send by `io.fetch`; replaceable. */
  fetch: typeof fetch;
  /** Creates a scene for another channel of the same type, with its own case, adapter and platform. */
  another(id: string): Promise<Scene>;
  channel(config?: Readonly<Record<string, unknown>>, id?: string): ChannelConfig;
  open(config?: Readonly<Record<string, unknown>>, id?: string): Promise<ChannelLink>;
  openWith(signal: AbortSignal): Promise<ChannelLink>;
  connected(): Promise<{ readonly link: ChannelLink; readonly platform: FakePlatform }>;
  /** Connects like `connected` for inspection; the next `connected` returns the same connection. */
  look(): Promise<{ readonly link: ChannelLink; readonly platform: FakePlatform }>;
  /** Sends a message and waits until this many were accepted in total. */
  say(platform: FakePlatform, id: string, text: string, count: number): Promise<void>;
  /** Waits until this many messages were accepted in total. */
  handedOver(count: number): Promise<void>;
  /** Sends a message until the platform has accepted it, with retries like the gateway's. */
  sendUntilTaken(link: ChannelLink, message: OutboundMessage): Promise<void>;
  message(conversation: string, text: string, more?: Partial<OutboundMessage>): OutboundMessage;
  /** Resolves with the error of a send. */
  failureOf(sending: Promise<unknown>): Promise<DeliveryError>;
}

/** Runs one check, and disposes everything it opened. */
export async function withScene(make: MakeCase, play: (scene: Scene) => Promise<void>): Promise<void> {
  const open: AsyncDisposable[] = [];
  const scene = createScene(make, await make(), CHANNEL, open);
  try {
    await play(scene);
  } finally {
    for (const one of open.reverse()) await one[Symbol.asyncDispose]();
  }
}

function createScene(make: MakeCase, made: ChannelAdapterCase, channelId: string, open: AsyncDisposable[]): Scene {
  /** Links that have reported a connection. */
  const connectedLinks = new WeakSet<ChannelLink>();
  const waitUntilConnected = (link: ChannelLink) =>
    waitUntil(
      () => connectedLinks.has(link),
      () => "the link did not report that it is connected",
    );
  const given: SceneCase = {
    ...made,
    async connect(link) {
      const connecting = made.connect(link, () => waitUntilConnected(link));
      return withTimeouts(await withTimeout(connecting, "the test's platform did not reach the link"));
    },
  };
  const accepted: InboundMessage[] = [];
  const states: LinkState[] = [];
  const logged: string[] = [];
  const secrets = { ...given.secrets };
  const note = (message: string, fields?: object) => void logged.push(`${message} ${formatFields(fields)}`);
  const log: ChannelIo["log"] = { debug: note, info: note, warn: note, error: note, child: () => log };
  const answer: Accepted = { traceId: "gw_test", itemId: "qi_test", duplicated: false, queued: true, queueSize: 1 };
  const ioFor = (id: string, report: ChannelIo["report"]): ChannelIo => ({
    moved: async () => {},
    async accept(message) {
      checkInbound(message, id);
      await scene.store(message);
      accepted.push(message);
      return answer;
    },
    async press(press) {
      checkInbound(press, id);
      scene.pressed.push(press);
      return scene.refusal === undefined ? answer : { ...answer, queued: false, refusal: scene.refusal };
    },
    report,
    secret: (variable) => secrets[variable] || undefined,
    fetch: (input, init) => scene.fetch(input, init),
    files,
    log,
  });
  const channel: Scene["channel"] = (config = given.config, id = channelId) => {
    const { adapter } = given;
    const { value, error } = adapter.settings.validate(config);
    if (error) throw error;
    return {
      id,
      name: id,
      type: adapter.type,
      transport: adapter.transports[0] ?? "webhook",
      enabled: true,
      config: value,
      capabilities: { ...NO_CAPABILITIES, ...adapter.capabilities },
    };
  };
  const openLink = async (config: ChannelConfig, signal: AbortSignal) => {
    let link: ChannelLink | undefined;
    let isConnected = false;
    const report = (state: LinkState) => {
      states.push(state);
      isConnected = state.connected;
      if (link && isConnected) connectedLinks.add(link);
    };
    link = await given.adapter.open(config, ioFor(config.id, report), signal);
    if (isConnected) connectedLinks.add(link);
    open.push(link);
    return link;
  };
  const connect = async () => {
    const link = await scene.open();
    const platform = await given.connect(link);
    open.push(platform);
    return { link, platform };
  };
  let preparedConnection: { readonly link: ChannelLink; readonly platform: FakePlatform } | undefined;
  const scene: Scene = {
    given,
    accepted,
    pressed: [],
    refusal: undefined,
    states,
    logged,
    secrets,
    store: async () => {},
    fetch: (input, init) => fetch(input, init),
    async another(id) {
      return createScene(make, await make(), id, open);
    },
    channel,
    open: (config, id) => openLink(channel(config, id), new AbortController().signal),
    openWith: (signal) => openLink(channel(), signal),
    async connected() {
      const found = preparedConnection;
      preparedConnection = undefined;
      return found ?? connect();
    },
    async look() {
      preparedConnection ??= await connect();
      return preparedConnection;
    },
    async say(platform, id, text, count) {
      await platform.say(id, text);
      await scene.handedOver(count);
    },
    handedOver: (count) =>
      waitUntil(
        () => accepted.length >= count,
        () => `${accepted.length} of ${count} messages were handed over to 'io.accept'`,
      ),
    sendUntilTaken: (link, message) => withTimeout(retrySend(link, message), "no repeat of the send was accepted"),
    message: (conversation, text, more = {}) => ({
      deliveryId: "dlv_1",
      traceId: "gw_test",
      channelId,
      sessionId: `${channelId}:${conversation}`,
      conversation: { id: conversation, isGroup: false },
      text,
      attachments: [],
      part: 1,
      parts: 1,
      ...more,
    }),
    async failureOf(sending) {
      const failure = await expectRejection(sending, "the send had to fail with a DeliveryError");
      if (!DeliveryError.is(failure)) throw new Error(`it must fail with a DeliveryError, not with ${String(failure)}`);
      return failure;
    },
  };
  return scene;
}

const RETRYABLE_FAILURES: readonly string[] = ["not_sent", "unavailable", "throttled"];
const RETRY_AFTER_MS = 20;

/** Sends until the link accepts, as the gateway does, because a link may be disconnected briefly after a break. */
async function retrySend(link: ChannelLink, message: OutboundMessage): Promise<void> {
  for (;;) {
    try {
      await link.send(message, new AbortController().signal);
      return;
    } catch (error) {
      if (!DeliveryError.is(error) || !RETRYABLE_FAILURES.includes(error.failure)) throw error;
      await wait(RETRY_AFTER_MS);
    }
  }
}

/** Wraps the test's platform with timeouts that fail with a sentence. */
function withTimeouts(platform: FakePlatform): FakePlatform {
  // A failed check awaits neither promise, so their rejections must not count as unhandled.
  const watch = <T>(promise: Promise<T>, sentence: string) => {
    const watched = withTimeout(promise, sentence);
    watched.catch(() => undefined);
    return watched;
  };
  const watched: Pick<FakePlatform, "say" | "heard"> = {
    say: (id, text) => watch(platform.say(id, text), `message '${id}' was not acknowledged`),
    heard: () => watch(platform.heard(), "no text of the adapter reached the platform"),
  };
  return new Proxy(platform, {
    get(target, name) {
      if (name === "say" || name === "heard") return watched[name];
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** Formats log fields with errors as text at any depth, since they may contain a secret. */
function formatFields(fields: object | undefined): string {
  const text = (value: unknown): unknown =>
    value instanceof Error ? `${value.message} ${value.stack} ${JSON.stringify(text(value.cause) ?? "")}` : value;
  return JSON.stringify(fields ?? {}, (_key, value) => text(value));
}
