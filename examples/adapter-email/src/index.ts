import { ChannelAdapters, definePlugin } from "@parley/core";
import { createEmailAdapter } from "./adapter.ts";

/** A mailbox as a channel: who writes to it gets an answer by mail. */
export default definePlugin({
  id: "email",
  register({ contribute }) {
    contribute(ChannelAdapters, () => createEmailAdapter());
  },
});
