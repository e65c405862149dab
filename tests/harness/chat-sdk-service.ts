import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Channels, Gateway, type Message } from "@parley/core";
import type { ModelServer } from "@parley/simulators";
import { expect, vi } from "vitest";
import { linkAdapterPackages } from "./adapter-packages.ts";
import type { Client } from "./http/client.ts";
import { startParley } from "./parley.ts";
import { startParleyWithModel } from "./parley-with-model.ts";

export interface ChatSdkServiceOptions {
  /** The package's word, which is also the channel's id: `discord` for `@chat-adapter/discord`. */
  readonly word: string;
  readonly env: Readonly<Record<string, string>>;
  readonly config: Readonly<Record<string, unknown>>;
}

/** A service with one channel over a package of the Chat SDK. */
export interface ChatSdkService extends AsyncDisposable {
  readonly models: ModelServer;
  readonly api: Client;
  /** Posts a request of the platform to the channel's address; returns its status and text. */
  post(request: {
    readonly body: string;
    readonly headers: Readonly<Record<string, string>>;
  }): Promise<{ readonly status: number; readonly text: string }>;
  history(conversation: string): Promise<readonly Message[]>;
  waitUntilIdle(): Promise<void>;
  /** Ends the service and starts another one with the same data. */
  restart(meanwhile?: () => Promise<void>): Promise<void>;
}

/** Starts a service in a folder of its own, where the package is installed, with a channel made from its preset. */
export async function startChatSdkService({ word, env, config }: ChatSdkServiceOptions): Promise<ChatSdkService> {
  const root = mkdtempSync(join(tmpdir(), `parley-${word}-`));
  linkAdapterPackages(root, `@chat-adapter/${word}`);
  const options = { root, config: `[plugin.chat-sdk]\npackages = @chat-adapter/${word}\n`, env };
  const service = await startParleyWithModel(options);
  let { parley, api } = service;
  const waitUntilOpen = () => vi.waitFor(() => expect(parley.host.get(Channels).link(word)).toBeDefined(), 30_000);
  await api.post(`/api/channels/presets/chat-sdk:${word}`, { config });
  await waitUntilOpen();
  return {
    models: service.models,
    get api() {
      return api;
    },
    post: ({ body, headers }) =>
      api.send("POST", `/api/gateway/${word}/webhook`, { token: "", body, headers: { ...headers } }),
    history: async (conversation) =>
      (await api.get<{ items: readonly Message[] }>(`/api/sessions/${word}:${conversation}/messages`)).items,
    waitUntilIdle: () => parley.host.get(Gateway).idle(),
    async restart(meanwhile = async () => {}) {
      await parley[Symbol.asyncDispose]();
      await meanwhile();
      parley = await startParley(options);
      api = await parley.signIn();
      await waitUntilOpen();
    },
    async [Symbol.asyncDispose]() {
      await parley[Symbol.asyncDispose]();
      await service.models[Symbol.asyncDispose]();
      rmSync(root, { recursive: true, force: true });
    },
  };
}
