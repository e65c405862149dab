import { ChannelAdapters, definePlugin } from "@parley/core";
import { createEmailAdapter } from "./adapter.ts";

/** Provides a channel for a mailbox: mail to it is answered by mail. */
export default definePlugin({
  id: "email",
  register({ contribute }) {
    contribute(ChannelAdapters, () => createEmailAdapter());
  },
});
