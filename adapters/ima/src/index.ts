import { ChannelAdapters, definePlugin, HostControl, serviceKey } from "@parley/core";
import { type ImaParts, imaAdapter } from "./adapter.ts";
import { createReverseDoor } from "./reverse.ts";

const Parts = serviceKey<ImaParts>("ima.parts");

/** imA: an account driven by a bridge program that speaks OneBot v11. */
export default definePlugin({
  id: "ima",
  register({ provide, contribute }) {
    provide(Parts, () => ({ door: createReverseDoor(), bridges: new Map(), random: Math.random }));
    contribute(ChannelAdapters, (from) => imaAdapter(from.get(Parts)));
  },
  async start({ get, defer }) {
    const { server } = get(HostControl);
    if (server) defer(get(Parts).door.attach(server));
  },
});
