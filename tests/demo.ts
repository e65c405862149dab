// `npm run demo`: starts the service with a simulated server of every platform, and a page to write as their users.

import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { DEMO_PASSWORD, type DemoConversation, startDemoChannels } from "./harness/demo-channels.ts";

const root = join(dirname(import.meta.dirname), ".parley", "demo");
mkdirSync(root, { recursive: true });
const demo = await startDemoChannels(root, Number(process.argv[2] ?? 5_000));
const STAGES: Readonly<Record<string, DemoConversation>> = demo.stages;

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
process.stdout.write(`console  ${demo.host.address}  (user admin, password ${DEMO_PASSWORD})\n`);
process.stdout.write(`type as platform users  http://127.0.0.1:${(page.address() as AddressInfo).port}\n`);

const stop = async () => {
  page.closeAllConnections();
  page.close();
  await demo[Symbol.asyncDispose]();
  process.exit(0);
};
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void stop());
