import { ChannelAdapters, definePlugin } from "@parley/core";
import { createLineAdapter } from "./adapter.ts";

/** A channel over plain TCP: one line in, one line out. Try it with `nc 127.0.0.1 7000`. */
export default definePlugin({
  id: "echo",
  register({ contribute }) {
    contribute(ChannelAdapters, () => createLineAdapter());
  },
});
