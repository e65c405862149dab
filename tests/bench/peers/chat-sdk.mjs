// node chat-sdk.mjs <api root> <folder with chat> [URL of Redis or PostgreSQL]: the same bot, on the Chat SDK.
// Without a URL its state is in memory and nothing is on disk.
import { createServer } from "node:http";
import { pathToFileURL } from "node:url";

const [, , apiUrl, folder, url] = process.argv;
const load = (name) => import(pathToFileURL(`${folder}/node_modules/${name}/dist/index.js`).href);
const [{ Chat, ConsoleLogger }, { createTelegramAdapter }] = await Promise.all([
  load("chat"),
  load("@chat-adapter/telegram"),
]);
const logger = new ConsoleLogger("error");
const bot = new Chat({
  userName: "bench_bot",
  logger,
  adapters: {
    telegram: createTelegramAdapter({ botToken: "42:secret", secretToken: "bench", mode: "webhook", apiUrl, logger }),
  },
  state: await createState(),
});
const answer = (thread, message) => thread.post(`You said: ${message.text}`);
bot.onDirectMessage(answer);
bot.onNewMention(answer);
bot.onSubscribedMessage(answer);
await bot.initialize();
const waitUntil = (work) => void Promise.resolve(work).catch(() => {});
const server = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray());
  const given = new Request("http://bench/", { method: "POST", headers: request.headers, body });
  const { status } = await bot.webhooks.telegram(given, { waitUntil });
  response.writeHead(status).end();
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}/`));

async function createState() {
  if (url === undefined) return (await load("@chat-adapter/state-memory")).createMemoryState();
  if (url.startsWith("redis:")) return (await load("@chat-adapter/state-redis")).createRedisState({ url, logger });
  return (await load("@chat-adapter/state-pg")).createPostgresState({ url, logger });
}
