import type { DefinedPlugin } from "@parley/core";
import { startImaBridge, startImbServer, startImcServer, startModelServer } from "@parley/simulators";
import { startMcpHttpServer } from "../harness/mcp-http-server.ts";
import { type Parley, type ParleyOptions, startParley } from "../harness/parley.ts";
import type { Call, Seed } from "./calls.ts";

/** A service beside every platform and server that its rows speak with. */
export interface Seeded extends AsyncDisposable {
  readonly parley: Parley;
  readonly seed: Seed;
}

export async function startSeeded(
  options: Pick<ParleyOptions, "root"> & { readonly plugins?: readonly DefinedPlugin[] } = {},
): Promise<Seeded> {
  await using starting = new AsyncDisposableStack();
  const models = starting.use(await startModelServer());
  const imb = starting.use(await startImbServer());
  const ima = starting.use(await startImaBridge());
  const imc = starting.use(await startImcServer());
  const mcp = starting.use(await startMcpHttpServer());
  const parley = starting.use(
    await startParley({
      ...options,
      env: {
        IMB_BOT_TOKEN: "42:secret",
        IMB_WEBHOOK_SECRET: "imb-secret",
        IMC_VERIFICATION_TOKEN: "vt",
        IMC_APP_SECRET: "app-secret",
      },
    }),
  );
  const api = await parley.signIn();
  await api.put("/api/channels/imA", { config: { ws_uri: ima.address } });
  await api.post("/api/channels/imA/toggle", { enabled: true });
  await ima.up();
  const urls = { modelUrl: models.baseUrl, imbUrl: imb.address, imcUrl: imc.address, mcpUrl: mcp.address };
  const running = starting.move();
  return {
    parley,
    seed: { api, ...urls, signIn: parley.signIn },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

export function filled(path: string, made: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(made[name] ?? "any"));
}

export function requestOf({ body, query, headers }: Call, made: Readonly<Record<string, string>>) {
  return {
    ...(query && { query }),
    ...(headers && { headers }),
    ...(body && { body: typeof body === "function" ? body(made) : body }),
  };
}
