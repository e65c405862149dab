import { type Host, startHost } from "@parley/host";
import {
  IMABOT_APP,
  IMC_APP,
  type Platform,
  startImaBotServer,
  startImaBridge,
  startImbServer,
  startImcServer,
  startReceiver,
} from "@parley/simulators";
import { type Client, createClient } from "./http/client.ts";

export const DEMO_PASSWORD = "demo-password";
const SECRETS = {
  IMB_BOT_TOKEN: "42:secret",
  IMB_WEBHOOK_SECRET: "imb-secret",
  IMC_APP_SECRET: IMC_APP.secret,
  IMC_ENCRYPT_KEY: "encrypt-key",
  IMC_VERIFICATION_TOKEN: "vt",
  IMABOT_APP_SECRET: IMABOT_APP.secret,
  SVC_WEBHOOK_SECRET: "hook-secret",
};

/** A platform with its only conversation. */
export interface DemoConversation {
  readonly platform: Platform<unknown>;
  readonly conversation: string;
}

/** The service with a channel to a simulator of every platform, by the ids of the channels. */
export interface DemoChannels extends AsyncDisposable {
  readonly host: Host;
  readonly api: Client;
  readonly stages: Readonly<Record<"imA" | "imAbot" | "imB" | "imC" | "webhook", DemoConversation>>;
}

export async function startDemoChannels(root: string, port: number): Promise<DemoChannels> {
  // The service recognizes messages of the last start by their ids, so ids must not repeat.
  const firstId = Date.now() % 1_000_000_000;
  const [ima, imabot, imb, imc, receiver] = await Promise.all([
    startImaBridge({ firstId }),
    startImaBotServer({ firstId }),
    startImbServer({ firstId }),
    startImcServer({ firstId }),
    startReceiver({ firstId }),
  ]);
  const host = await startHost({
    root,
    flags: { port },
    env: { ...process.env, ...SECRETS, SVC_ADMIN_PASSWORD: DEMO_PASSWORD },
  });
  const open = createClient(host.address, "");
  const { token } = await open.post<{ token: string }>("/api/login", { username: "admin", password: DEMO_PASSWORD });
  const api = open.as(token);

  const { items } = await api.get<{ items: readonly { readonly id: string }[] }>("/api/channels?limit=500");
  for (const { id } of items)
    if (["imB", "imC", "webhook"].includes(id)) await api.send("DELETE", `/api/channels/${id}`);
  await api.put("/api/channels/imA", { config: { ws_uri: ima.address } });
  await api.put("/api/channels/imAbot", { config: { app_id: IMABOT_APP.id, api_base: imabot.address } });
  for (const id of ["imA", "imAbot"]) await api.post(`/api/channels/${id}/toggle`, { enabled: true });
  await api.post("/api/channels/presets/imB", {
    config: { api_base: imb.address },
    capabilities: { supports_stream: true },
  });
  await api.post("/api/channels/presets/imC", { config: { app_id: IMC_APP.id, api_base: imc.address } });
  await api.post("/api/channels/presets/generic_webhook", { config: { outbound_url: receiver.address } });

  const toWebhookUrl = (path: string) => `${host.address}/api/${path}/webhook`;
  imb.useWebhook({ url: toWebhookUrl("channels/imB/imB"), secret_token: SECRETS.IMB_WEBHOOK_SECRET });
  imc.useWebhook({
    url: toWebhookUrl("channels/imC/imC"),
    encryptKey: SECRETS.IMC_ENCRYPT_KEY,
    verificationToken: SECRETS.IMC_VERIFICATION_TOKEN,
  });
  receiver.useWebhook({
    url: toWebhookUrl("gateway/webhook"),
    headers: { "x-svc-token": SECRETS.SVC_WEBHOOK_SECRET },
  });
  return {
    host,
    api,
    stages: {
      imA: { platform: ima, conversation: "private:501" },
      imAbot: { platform: imabot, conversation: "private:U1" },
      imB: { platform: imb, conversation: "501" },
      imC: { platform: imc, conversation: "oc_demo" },
      webhook: { platform: receiver, conversation: "u1" },
    },
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]();
      await Promise.all([ima, imabot, imb, imc, receiver].map((one) => one[Symbol.asyncDispose]()));
    },
  };
}
