import { ChannelAdapters, definePlugin } from "@parley/core";
import { acmeAdapter } from "./adapter.ts";

export default definePlugin({
  id: "acme",
  register({ contribute }) {
    contribute(ChannelAdapters, () => acmeAdapter);
  },
});
