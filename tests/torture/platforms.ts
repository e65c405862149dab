import type { IdempotencyMode } from "@parley/core";
import {
  type Platform,
  SLACK_APP,
  startImaBridge,
  startImbServer,
  startReceiver,
  startSlackServer,
} from "@parley/simulators";
import { linkAdapterPackages } from "../harness/adapter-packages.ts";
import type { Client } from "../harness/http/client.ts";

/** A channel to torture, with the simulator of its platform. For a third-party one: `pnpm torture --platform ./my-platform.ts`. */
export interface TorturedPlatform {
  /** The channel's `type`. */
  readonly type: string;
  /** Name in reports, and of its channel. Absent: the type. */
  readonly name?: string;
  /** True when the channel exists already and only needs its settings. */
  readonly isBuiltIn?: boolean;
  readonly transport: "webhook" | "websocket" | "bridge" | "polling";
  readonly mode: IdempotencyMode;
  /** True when the platform does not repeat messages, so that those sent while the service is down are lost. */
  readonly mayLose?: boolean;
  /** Lines of the `[plugins]` section for it: `acme = /path/to/adapter`. */
  readonly plugins?: Readonly<Record<string, string>>;
  /** Lines of config.ini for it, such as a section of its plugin. */
  readonly configuration?: string;
  /** Prepares the operator's folder, before the service starts. */
  prepare?(root: string): void;
  /** Environment variables of the service. */
  readonly env?: Readonly<Record<string, string>>;
  /** Returns the id of a conversation in the adapter's form. */
  conversation(number: number): string;
  /** Starts the platform; `webhook` is the address it may post to, the same at every start of the service. */
  start(options: { readonly seed: number; readonly webhook: string }): Promise<StartedPlatform>;
}

export interface StartedPlatform {
  readonly platform: Platform<unknown>;
  readonly config: object;
  /** Does what an operator does to channel `id` while people write: once before each kill, and once after the restart. */
  operate?(api: Client, id: string): Promise<void>;
}

/** Faults of the platform: duplicates, reordering, delays, throttling, errors, silence, and false success. */
const createFaults = (seed: number) => ({
  seed,
  duplicate: 0.2,
  delay: 0.3,
  reorder: 0.2,
  tooMany: 0.05,
  serverError: 0.05,
  halfOpen: 0.01,
  lyingOk: 0.01,
});

const imB: TorturedPlatform = {
  type: "imB",
  transport: "webhook",
  mode: "none",
  env: { IMB_BOT_TOKEN: "42:secret", IMB_WEBHOOK_SECRET: "imb-secret" },
  conversation: (number) => String(600 + number),
  async start({ seed, webhook: url }) {
    const platform = await startImbServer({ faults: createFaults(seed) });
    platform.useWebhook({ url, secret_token: "imb-secret" });
    return { platform, config: { api_base: platform.address, paced: false } };
  },
};

/** Without a webhook: the service polls, and an update is confirmed by the request after it. */
const imbPolling: TorturedPlatform = {
  ...imB,
  name: "imB-polling",
  transport: "polling",
  conversation: (number) => String(700 + number),
  async start({ seed }) {
    const platform = await startImbServer({ faults: createFaults(seed) });
    return { platform, config: { api_base: platform.address, paced: false } };
  },
};

/** The operator switches between polling and the webhook while people write. */
const imbSwitching: TorturedPlatform = {
  ...imbPolling,
  name: "imB-switching",
  conversation: (number) => String(800 + number),
  async start({ seed, webhook: url }) {
    const platform = await startImbServer({ faults: createFaults(seed) });
    return {
      platform,
      config: { api_base: platform.address, paced: false },
      async operate(api, id) {
        type Channels = { readonly items: readonly { readonly id: string; readonly transport: string }[] };
        const { items } = await api.get<Channels>("/api/channels");
        const isPolling = items.find((channel) => channel.id === id)?.transport === "polling";
        await api.put(`/api/channels/${id}`, { transport: isPolling ? "webhook" : "polling" });
        if (isPolling) platform.useWebhook({ url, secret_token: "imb-secret" });
      },
    };
  },
};

const generic: TorturedPlatform = {
  type: "generic",
  transport: "webhook",
  mode: "native_key",
  env: { SVC_WEBHOOK_SECRET: "sesame" },
  conversation: (number) => `u${number}`,
  async start({ seed, webhook: url }) {
    const platform = await startReceiver({ faults: createFaults(seed) });
    platform.useWebhook({ url, headers: { "x-svc-token": "sesame" } });
    return {
      platform,
      config: {
        auth: { type: "static", secret_env: "SVC_WEBHOOK_SECRET" },
        outbound_url: platform.address,
        timeout_s: 3,
      },
    };
  },
};

const imA: TorturedPlatform = {
  type: "imA",
  isBuiltIn: true,
  transport: "bridge",
  mode: "reconcile",
  mayLose: true,
  conversation: (number) => `private:${600 + number}`,
  async start({ seed }) {
    // A silent socket is detected only after a minute or more, so half-open connections are rare.
    const platform = await startImaBridge({ faults: { ...createFaults(seed), halfOpen: 0.004 } });
    return { platform, config: { ws_uri: platform.address } };
  },
};

export const PLATFORMS: readonly TorturedPlatform[] = [imB, imbPolling, imbSwitching, generic, imA];

/** Slack by the real adapter package of the Chat SDK. */
const slack: TorturedPlatform = {
  type: "chat-sdk:slack",
  name: "slack",
  transport: "webhook",
  mode: "reconcile",
  configuration: "[plugin.chat-sdk]\npackages = @chat-adapter/slack\n",
  prepare: (root) => linkAdapterPackages(root, "@chat-adapter/slack"),
  env: { SLACK_BOT_TOKEN: SLACK_APP.token, SLACK_SIGNING_SECRET: SLACK_APP.signingSecret },
  conversation: (number) => `slack:D${600 + number}:`,
  async start({ seed, webhook: url }) {
    const platform = await startSlackServer({ faults: createFaults(seed) });
    platform.useWebhook({ url, signingSecret: SLACK_APP.signingSecret });
    return { platform, config: { apiUrl: platform.address } };
  },
};

/** Channels over adapter packages; `pnpm torture --only slack`. */
export const PACKAGE_PLATFORMS: readonly TorturedPlatform[] = [slack];
