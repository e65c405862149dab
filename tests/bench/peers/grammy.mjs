// node grammy.mjs <api root> <folder with grammy>: the same bot, on grammY. Keeps nothing.
import { createServer } from "node:http";
import { createRequire } from "node:module";

const [, , apiRoot, folder] = process.argv;
const { Bot, webhookCallback } = createRequire(`${folder}/`)("grammy");
const bot = new Bot("42:secret", { client: { apiRoot } });
bot.on("message:text", (context) => context.reply(`You said: ${context.message.text}`));
await bot.init();
const server = createServer(webhookCallback(bot, "http", { secretToken: "bench" }));
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}/`));
