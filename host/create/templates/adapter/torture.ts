// Platform on which people write while the service is killed. `npm test` kills it twice; for more runs: `npm run torture -- --seeds 20`.
import { fileURLToPath } from "node:url";
import { postUntilAccepted, startPlatformServer } from "@parley/simulators";
import type { TorturedPlatform, TortureOptions } from "@parley/testing";

const options: TortureOptions = {
  plugins: { acme: fileURLToPath(new URL("./src/index.ts", import.meta.url)) },
  type: "acme",
  env: { ACME_WORD: "sesame" },
  start: ({ webhook: url }) => startPlatform(url),
};
export default options;

/** Starts an Acme that posts a message until it is accepted, and shows a text once per id. */
async function startPlatform(url: string): Promise<{ readonly platform: TorturedPlatform; readonly config: object }> {
  const shown = new Map<unknown, { readonly user: unknown; readonly text: string }>();
  const { authority, nextId, simulator, stopping } = await startPlatformServer({
    options: {},
    serve({ body }) {
      const { id, user, text } = body();
      if (!shown.has(id)) shown.set(id, { user, text: String(text) });
      return { body: {} };
    },
  });
  const headers = { "x-acme-word": "sesame" };
  return {
    config: { address: `http://${authority}` },
    platform: {
      say(user, text) {
        const body = JSON.stringify({ id: String(nextId()), user, text });
        return postUntilAccepted(() => ({ url, body, headers }), stopping);
      },
      shown: (user) => [...shown.values()].filter((one) => one.user === user).map(({ text }) => text),
      [Symbol.asyncDispose]: () => simulator[Symbol.asyncDispose](),
    },
  };
}
