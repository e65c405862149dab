import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import {
  type Accepted,
  type ChannelConfig,
  type ChannelIo,
  type ChannelLink,
  checkInbound,
  DeliveryError,
  type InboundMessage,
  type LinkState,
  notFound,
  type OutboundMessage,
} from "@parley/core";
import { expect, vi } from "vitest";
import type { ChannelAdapterCase, FakePlatform, MakeCase } from "./case.ts";

export const CHANNEL = "contract";
const NO_CAPABILITIES = {
  supports_stream: false,
  supports_progress_updates: false,
  supports_file_send: false,
  supports_stop: false,
};

/** How long a link may take until it is connected. */
const UP_MS = 5_000;
/** How long what is on its way may take, also on a machine that has much to do. */
export const ON_ITS_WAY = { timeout: 10_000 } as const;

const FILE_BYTES = Buffer.from("%PDF-1.7 what goes out");
/** The one file that the service of a scene keeps. */
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

/** The case, its user told by the scene when the link is up. */
interface PlayedCase extends Omit<ChannelAdapterCase, "connect"> {
  connect(link: ChannelLink): Promise<FakePlatform>;
}

/** What one check plays on: an adapter, a service that stands in for the real one, and a platform. */
export interface Scene {
  readonly given: PlayedCase;
  /** What the adapter handed over, in order. */
  readonly accepted: InboundMessage[];
  readonly states: LinkState[];
  /** Everything the adapter logged, as text. */
  readonly logged: string[];
  /** The environment; a check may change it. */
  readonly secrets: Record<string, string>;
  /** Stands in for the storing of a message. */
  store: (message: InboundMessage) => Promise<void>;
  channel(config?: Readonly<Record<string, unknown>>, id?: string): ChannelConfig;
  open(config?: Readonly<Record<string, unknown>>, id?: string): Promise<ChannelLink>;
  openWith(signal: AbortSignal): Promise<ChannelLink>;
  connected(): Promise<{ readonly link: ChannelLink; readonly platform: FakePlatform }>;
  /** The same, to look at it: the next `connected` gives this one. */
  look(): Promise<{ readonly link: ChannelLink; readonly platform: FakePlatform }>;
  /** Says something and waits until so many messages were handed over in all. */
  say(platform: FakePlatform, id: string, text: string, count: number): Promise<void>;
  message(conversation: string, text: string, more?: Partial<OutboundMessage>): OutboundMessage;
  /** What a send fails with. */
  failureOf(sending: Promise<unknown>): Promise<DeliveryError>;
}

/** Plays one check, and ends what it opened. */
export async function withScene(make: MakeCase, play: (scene: Scene) => Promise<void>): Promise<void> {
  const open: AsyncDisposable[] = [];
  const scene = createScene(await make(), open);
  try {
    await play(scene);
  } finally {
    for (const one of open.reverse()) await one[Symbol.asyncDispose]();
  }
}

function createScene(made: ChannelAdapterCase, open: AsyncDisposable[]): Scene {
  /** Links that have said that they are connected. */
  const up = new WeakSet<ChannelLink>();
  const isUp = (link: ChannelLink) =>
    vi.waitFor(() => expect(up.has(link)).toBe(true), { timeout: UP_MS, interval: 2 });
  const given: PlayedCase = { ...made, connect: (link) => made.connect(link, () => isUp(link)) };
  const accepted: InboundMessage[] = [];
  const states: LinkState[] = [];
  const logged: string[] = [];
  const secrets = { ...given.secrets };
  const note = (message: string, fields?: object) => void logged.push(`${message} ${textOf(fields)}`);
  const log: ChannelIo["log"] = { debug: note, info: note, warn: note, error: note, child: () => log };
  const answer: Accepted = { traceId: "gw_test", itemId: "qi_test", duplicated: false, queued: true, queueSize: 1 };
  const ioFor = (channelId: string, report: ChannelIo["report"]): ChannelIo => ({
    moved: async () => {},
    async accept(message) {
      checkInbound(message, channelId);
      await scene.store(message);
      accepted.push(message);
      return answer;
    },
    report,
    secret: (variable) => secrets[variable] || undefined,
    fetch,
    files,
    log,
  });
  const channel: Scene["channel"] = (config = given.config, id = CHANNEL) => {
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
  const opened = async (config: ChannelConfig, signal: AbortSignal) => {
    let link: ChannelLink | undefined;
    let isConnected = false;
    const report = (state: LinkState) => {
      states.push(state);
      isConnected = state.connected;
      if (link && isConnected) up.add(link);
    };
    link = await given.adapter.open(config, ioFor(config.id, report), signal);
    if (isConnected) up.add(link);
    open.push(link);
    return link;
  };
  const connect = async () => {
    const link = await scene.open();
    const platform = await given.connect(link);
    open.push(platform);
    return { link, platform };
  };
  let spare: { readonly link: ChannelLink; readonly platform: FakePlatform } | undefined;
  const scene: Scene = {
    given,
    accepted,
    states,
    logged,
    secrets,
    store: async () => {},
    channel,
    open: (config, id) => opened(channel(config, id), new AbortController().signal),
    openWith: (signal) => opened(channel(), signal),
    async connected() {
      const found = spare;
      spare = undefined;
      return found ?? connect();
    },
    async look() {
      spare ??= await connect();
      return spare;
    },
    async say(platform, id, text, count) {
      await platform.say(id, text);
      await vi.waitFor(() => expect(accepted.length).toBeGreaterThanOrEqual(count), ON_ITS_WAY);
    },
    message: (conversation, text, more = {}) => ({
      deliveryId: "dlv_1",
      traceId: "gw_test",
      channelId: CHANNEL,
      sessionId: `${CHANNEL}:${conversation}`,
      conversation: { id: conversation, isGroup: false },
      text,
      attachments: [],
      part: 1,
      parts: 1,
      ...more,
    }),
    async failureOf(sending) {
      const failure = await sending.then(
        () => undefined,
        (error: unknown) => error,
      );
      if (!DeliveryError.is(failure)) throw new Error(`it must fail with a DeliveryError, not with ${String(failure)}`);
      return failure;
    },
  };
  return scene;
}

/** Errors as what they say, at any depth: a secret hides there. */
function textOf(fields: object | undefined): string {
  const text = (value: unknown): unknown =>
    value instanceof Error ? `${value.message} ${value.stack} ${JSON.stringify(text(value.cause) ?? "")}` : value;
  return JSON.stringify(fields ?? {}, (_key, value) => text(value));
}
