import { ChannelAdapters, definePlugin } from "@parley/core";
import { createLineAdapter } from "./adapter.ts";

/** Provides a channel over plain TCP with one message per line. Try it with `nc 127.0.0.1 7000`. */
export default definePlugin({
  id: "echo",
  register({ contribute }) {
    contribute(ChannelAdapters, () => createLineAdapter());
  },
});
