import { Clock, Databases, definePlugin, Probes, serviceKey, TextIndex } from "@parley/core";
import { createIndexThread, type IndexThread } from "./index-thread.ts";
import { createTextIndex } from "./text-index.ts";

const Thread = serviceKey<IndexThread>("text-index.thread");

/** Provides one text index for all plugins. */
export default definePlugin({
  id: "text-index",
  requires: [Databases],
  register({ provide, contribute, log }) {
    provide(Thread, () => createIndexThread(log));
    provide(TextIndex, (from) =>
      createTextIndex({
        database: () => from.get(Databases).main,
        thread: from.get(Thread),
        clock: from.get(Clock),
        log,
      }),
    );
    contribute(Probes, (from) => ({
      id: "text-index",
      async health() {
        const { detail } = await from.get(TextIndex).comparing();
        return { status: "ok", detail };
      },
    }));
  },
  async start({ get, defer }) {
    const thread = get(Thread);
    defer(async () => thread[Symbol.asyncDispose]());
  },
});
