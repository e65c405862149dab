import { type ModelServer, type ReplayServer, startModelServer, startReplayServer } from "@parley/simulators";
import { afterAll, beforeAll, beforeEach } from "vitest";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

/** State shared by the tests of a file. */
interface State {
  // The offline model calls a tool for the message `/tool name {…}`, and repeats its result.
  parley: Parley;
  api: Client;
  shop: ReplayServer;
  models: ModelServer;
  count: number;
}

export const scene = {
  count: 0,
} as State;

export interface ToolRecord {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly source: string;
  readonly builtin: boolean;
  readonly is_offered: boolean;
}
export interface Answered {
  readonly replies: readonly {
    readonly content: string;
    readonly tool_calls: readonly { readonly name: string; readonly status: string; readonly result: string }[];
  }[];
}

export const session = async (more: object = {}) => (await scene.api.post<{ id: string }>("/api/sessions", more)).id;
export const call = async (name: string, args: object = {}, id?: string) => {
  const message = { content: `/tool ${name} ${JSON.stringify(args)}` };
  const { replies } = await scene.api.post<Answered>(`/api/sessions/${id ?? (await session())}/chat`, message);
  return replies[0]?.tool_calls[0];
};
export const list = (query = "") =>
  scene.api.get<{ items: readonly ToolRecord[]; total: number }>(`/api/tools?limit=500${query}`);
export const builtIn = async (name: string) => (await list("&source=builtin")).items.find((one) => one.name === name);

/** Sets up the tests of a file. */
export function useTools(): void {
  beforeAll(async () => {
    scene.shop = await startReplayServer();
    scene.models = await startModelServer();
    const config = `[plugin.tools]\nopen_meteo_url = ${scene.shop.address}\ngeocoding_url = ${scene.shop.address}\nwikipedia_url = ${scene.shop.address}\ngdelt_url = ${scene.shop.address}\n`;
    scene.parley = await startParley({ env: { SHOP_TOKEN: "shop-secret-token" }, config });
    scene.api = await scene.parley.signIn();
    await scene.api.put("/api/settings", { tools: { allow_private_addresses: true } });
  });
  afterAll(async () => {
    await scene.parley[Symbol.asyncDispose]();
    await scene.shop[Symbol.asyncDispose]();
    await scene.models[Symbol.asyncDispose]();
  });
  beforeEach(() => {
    scene.shop.answers.length = 0;
  });
}
