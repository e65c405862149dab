// Baseline: a hapi server with one validated route that stores nothing.
import { Server } from "@hapi/hapi";
import Joi from "@hapi/joi";

const server = new Server({ host: "127.0.0.1", port: 0 });
server.route({
  method: "POST",
  path: "/ingest",
  options: {
    validate: {
      payload: Joi.object({
        user: Joi.string().required(),
        id: Joi.string().required(),
        text: Joi.string().required(),
      }) as never,
    },
  },
  handler: () => ({ success: true, data: null, message: "" }),
});
await server.start();
console.log(server.info.uri);
