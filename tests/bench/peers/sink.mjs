// A Bot API server that does nothing but count: what all bots of the bench talk to.
import { createServer } from "node:http";

let sent = 0;
const server = createServer((request, response) => {
  request.resume();
  request.on("end", () => {
    const method = request.url.split("/").at(-1);
    if (method === "sent") return response.end(String(sent));
    if (method === "reset") sent = 0;
    if (method === "sendMessage") sent += 1;
    const result =
      method === "getMe"
        ? { id: 900, is_bot: true, first_name: "Bot", username: "bench_bot" }
        : {
            message_id: sent,
            date: 1,
            chat: { id: 1, type: "private" },
            from: { id: 900, is_bot: true, first_name: "Bot" },
            text: "x",
          };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ ok: true, result }));
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`));
