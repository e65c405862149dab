import { ChannelAdapters, definePlugin } from "@parley/core";
import { createIrcAdapter } from "./adapter.ts";

/** Provides a channel for a nick on an IRC network, which answers in private chats and in the channels that it joins. */
export default definePlugin({
  id: "irc",
  register({ contribute }) {
    contribute(ChannelAdapters, () => createIrcAdapter());
  },
});
