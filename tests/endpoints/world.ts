import { join } from "node:path";
import { type DefinedPlugin, Gateway, type Route, RouteTables } from "@parley/core";
import {
  startImaBridge,
  startImbServer,
  startImcServer,
  startModelServer,
  startReplayServer,
} from "@parley/simulators";
import { findFreePort } from "../harness/http/free-port.ts";
import { startMcpHttpServer } from "../harness/mcp/mcp-http-server.ts";
import { startOAuthMcpServer } from "../harness/mcp/oauth-mcp-server.ts";
import { type Parley, startParley } from "../harness/parley.ts";
import { createAskingPlugin } from "../harness/plugins/asking.ts";
import { createFakeChannel } from "../harness/plugins/fake-channel.ts";
import { startVoiceServer } from "../harness/servers/voice-server.ts";
import type { Call, Seed } from "./calls.ts";

/** A package that channels of the Chat SDK are served by. */
const ECHO_PACKAGE = join(import.meta.dirname, "../harness/plugins/echo-adapter.ts");

/** A service with all the servers that its routes call. */
export interface World extends AsyncDisposable {
  readonly parley: Parley;
  readonly seed: Seed;
  readonly mounted: ReadonlyMap<string, Route>;
}

export interface WorldOptions {
  /** Plugins that are added to the usual ones, or replace them. */
  readonly plugins?: readonly DefinedPlugin[];
  /** A data folder that is not deleted. */
  readonly root?: string;
  /** Folder of a PostgreSQL server. */
  readonly server?: string | undefined;
}

export async function startWorld({ plugins = [], root, server }: WorldOptions = {}): Promise<World> {
  await using rest = new AsyncDisposableStack();
  const models = rest.use(await startModelServer());
  const imb = rest.use(await startImbServer());
  const ima = rest.use(await startImaBridge());
  const imc = rest.use(await startImcServer());
  const cards = rest.use(await startReplayServer());
  const mcp = rest.use(await startMcpHttpServer());
  const signIn = rest.use(await startOAuthMcpServer());
  const voice = rest.use(await startVoiceServer());
  const fake = createFakeChannel();
  const parley = rest.use(
    await startParley({
      languages: { xx: { name: "Test", texts: { Save: "Xave" } } },
      plugins: [fake.plugin, createAskingPlugin(), ...plugins],
      server,
      config: `[mcp]\nenabled = true\ntransport = streamable-http\nport = ${await findFreePort()}\n[plugin.chat-sdk]\npackages = ${ECHO_PACKAGE}\n`,
      ...(root !== undefined && { root }),
      env: {
        IMB_BOT_TOKEN: "42:secret",
        IMB_WEBHOOK_SECRET: "imb-secret",
        IMC_VERIFICATION_TOKEN: "vt",
        IMC_APP_SECRET: "app-secret",
      },
    }),
  );
  const api = await parley.signIn();
  await api.post("/api/channels", { id: fake.id, name: fake.id, type: fake.id, transport: "bridge" });
  await api.put("/api/channels/imA", { config: { ws_uri: ima.address } });
  await api.post("/api/channels/imA/toggle", { enabled: true });
  await ima.up();
  const rows = parley.host.all(RouteTables).flat();
  const mounted = new Map(rows.map((row) => [`${row.method} ${row.path}`, row]));
  const { host } = parley;
  const idle = () => host.get(Gateway).idle();
  const urls = { imbUrl: imb.address, imcUrl: imc.address, mcpUrl: mcp.address, signInUrl: signIn.address };
  const owned = rest.move();
  return {
    parley,
    seed: { api, models, cards, voice, ...urls, fake, host, idle },
    mounted,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Fills a route's path with created ids; `any` for others. */
export function fillPath(path: string, made: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\*?\}/g, (_, name: string) => encodeURIComponent(made[name] ?? "any"));
}

/** The query, body and headers of a call. */
export function toRequest({ body, headers, query }: Call, made: Readonly<Record<string, string>>) {
  return {
    ...(query && { query: query(made) }),
    ...(headers && { headers }),
    ...(body && { body: typeof body === "function" ? body(made) : body }),
  };
}
