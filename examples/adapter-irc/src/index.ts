import { ChannelAdapters, definePlugin } from "@parley/core";
import { createIrcAdapter } from "./adapter.ts";

/** A nick on an IRC network as a channel: it answers in private, and in the channels that it joins. */
export default definePlugin({
  id: "irc",
  register({ contribute }) {
    contribute(ChannelAdapters, () => createIrcAdapter());
  },
});
