// `npm run demo`: the service with a pretended server of every platform, and a page to type as their users.

import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { startHost } from "@parley/host";
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
import { createClient } from "./harness/client.ts";

const PASSWORD = "demo-password";
const SECRETS = {
  IMB_BOT_TOKEN: "42:secret",
  IMB_WEBHOOK_SECRET: "imb-secret",
  IMC_APP_SECRET: IMC_APP.secret,
  IMC_ENCRYPT_KEY: "encrypt-key",
  IMC_VERIFICATION_TOKEN: "vt",
  IMABOT_APP_SECRET: IMABOT_APP.secret,
  SVC_WEBHOOK_SECRET: "hook-secret",
};

/** One platform as the page shows it: its one conversation. */
interface Stage {
  readonly platform: Platform<unknown>;
  readonly conversation: string;
}

const root = join(dirname(import.meta.dirname), ".parley", "demo");
mkdirSync(root, { recursive: true });
// The service remembers what was said at the last start by its ids.
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
  flags: { port: Number(process.argv[2] ?? 5_000) },
  env: { ...process.env, ...SECRETS, SVC_ADMIN_PASSWORD: PASSWORD },
});
const open = createClient(host.address, "");
const { token } = await open.post<{ token: string }>("/api/login", { username: "admin", password: PASSWORD });
const api = open.as(token);

const { items } = await api.get<{ items: readonly { readonly id: string }[] }>("/api/channels?limit=500");
for (const { id } of items) if (["imB", "imC", "webhook"].includes(id)) await api.send("DELETE", `/api/channels/${id}`);
await api.put("/api/channels/imA", { config: { ws_uri: ima.address } });
await api.put("/api/channels/imAbot", { config: { app_id: IMABOT_APP.id, api_base: imabot.address } });
for (const id of ["imA", "imAbot"]) await api.post(`/api/channels/${id}/toggle`, { enabled: true });
await api.post("/api/channels/presets/imB", {
  config: { api_base: imb.address },
  capabilities: { supports_stream: true },
});
await api.post("/api/channels/presets/imC", { config: { app_id: IMC_APP.id, api_base: imc.address } });
await api.post("/api/channels/presets/generic_webhook", { config: { outbound_url: receiver.address } });

const webhookOf = (path: string) => `${host.address}/api/${path}/webhook`;
imb.useWebhook({ url: webhookOf("channels/imB/imB"), secret_token: SECRETS.IMB_WEBHOOK_SECRET });
imc.useWebhook({
  url: webhookOf("channels/imC/imC"),
  encryptKey: SECRETS.IMC_ENCRYPT_KEY,
  verificationToken: SECRETS.IMC_VERIFICATION_TOKEN,
});
receiver.useWebhook({
  url: webhookOf("gateway/webhook"),
  headers: { "x-svc-token": SECRETS.SVC_WEBHOOK_SECRET },
});
const STAGES: Readonly<Record<string, Stage>> = {
  imA: { platform: ima, conversation: "private:501" },
  imAbot: { platform: imabot, conversation: "private:U1" },
  imB: { platform: imb, conversation: "501" },
  imC: { platform: imc, conversation: "oc_demo" },
  webhook: { platform: receiver, conversation: "u1" },
};

const PAGE = `<!doctype html><meta charset="utf-8"><title>Parley demo</title>
<style>body{font:15px system-ui;margin:2rem;display:grid;grid-template-columns:repeat(auto-fill,minmax(18rem,1fr));gap:1rem}
section{border:1px solid #ccc;border-radius:8px;padding:1rem}ul{padding-left:1rem;min-height:8rem;max-height:16rem;overflow:auto}
input{width:100%;box-sizing:border-box;padding:.5rem}</style>
<script type="module">
const names = await (await fetch("/stages")).json();
for (const name of names) {
  const box = document.body.appendChild(document.createElement("section"));
  const title = box.appendChild(document.createElement("h2")); title.textContent = name;
  const list = box.appendChild(document.createElement("ul"));
  const form = box.appendChild(document.createElement("form"));
  const input = form.appendChild(document.createElement("input")); input.placeholder = "Say something on " + name;
  const add = (text) => { const item = list.appendChild(document.createElement("li")); item.textContent = text; };
  let shown = 0;
  form.onsubmit = async (event) => { event.preventDefault(); const text = input.value; input.value = ""; add("you: " + text);
    const answer = await fetch("/say/" + name, { method: "POST", body: text }); if (!answer.ok) add("failed: " + await answer.text()); };
  setInterval(async () => { const heard = await (await fetch("/heard/" + name)).json(); for (; shown < heard.length; shown += 1) add("bot: " + heard[shown]); }, 500);
}
</script>`;

const page = createServer((request, response) => {
  answer(request).then(
    ({ type, body }) => response.writeHead(200, { "content-type": type }).end(body),
    (error: Error) => response.writeHead(500, { "content-type": "text/plain" }).end(error.message),
  );
});
async function answer(request: IncomingMessage): Promise<{ readonly type: string; readonly body: string }> {
  const [, action = "", name = ""] = (request.url ?? "/").split("/");
  const stage = Object.hasOwn(STAGES, name) ? STAGES[name] : undefined;
  const json = (value: unknown) => ({ type: "application/json", body: JSON.stringify(value) });
  if (action === "stages") return json(Object.keys(STAGES));
  if (action === "heard") return json(stage?.platform.shown(stage.conversation) ?? []);
  if (action !== "say") return { type: "text/html; charset=utf-8", body: PAGE };
  const text = (await request.toArray()).join("");
  if (!stage || text.trim() === "") throw new Error("say something, on a platform there is");
  await stage.platform.say(stage.conversation, text);
  return json({ ok: true });
}
page.listen(Number(process.argv[3] ?? 5_100), "127.0.0.1");
await once(page, "listening");
process.stdout.write(`console  ${host.address}  (user admin, password ${PASSWORD})\n`);
process.stdout.write(`type as platform users  http://127.0.0.1:${(page.address() as AddressInfo).port}\n`);

const stop = async () => {
  page.closeAllConnections();
  page.close();
  await host[Symbol.asyncDispose]();
  await Promise.all([ima, imabot, imb, imc, receiver].map((one) => one[Symbol.asyncDispose]()));
  process.exit(0);
};
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void stop());
