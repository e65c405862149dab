import { fileURLToPath } from "node:url";
import { postUntilTaken, startPlatformServer } from "@parley/simulators";
import { type TorturedPlatform, tortureAdapter } from "@parley/testing";
import { expect, test } from "vitest";

// A real service with this adapter, killed while people talk. More kills and other seeds find more.
test("every message is answered once and in order, though the service is killed", { timeout: 120_000 }, async () => {
  const verdict = await tortureAdapter({
    plugins: { acme: fileURLToPath(new URL("./index.ts", import.meta.url)) },
    type: "acme",
    env: { ACME_WORD: "sesame" },
    kills: 2,
    start: ({ webhook: url }) => startPlatform(url),
  });
  expect(verdict).toMatchObject({ lost: [], twice: [], outOfOrder: [], inDoubt: [] });
});

/** An Acme that posts a message until it is taken, and shows a text once per id. */
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
        return postUntilTaken(() => ({ url, body, headers }), stopping);
      },
      shown: (user) => [...shown.values()].filter((one) => one.user === user).map(({ text }) => text),
      [Symbol.asyncDispose]: () => simulator[Symbol.asyncDispose](),
    },
  };
}
