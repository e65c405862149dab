import type { Probe } from "@parley/core";
import type { ChannelService } from "./channels.ts";
import { BUILT_IN } from "./config/schema.ts";

/** Creates the probe of channels: degraded while an enabled channel of this node is not connected. */
export function createChannelsProbe(service: Pick<ChannelService, "list" | "status">): Probe {
  return {
    id: "channels",
    async health() {
      const broken = service.list().flatMap(({ id, enabled }) => {
        const { state, last_error, held_elsewhere: isRemote } = service.status(id);
        return enabled && !isRemote && state === "error" && !BUILT_IN.some((one) => one.id === id)
          ? [`${id}: ${last_error}`]
          : [];
      });
      return { status: broken.length > 0 ? "degraded" : "ok", detail: broken.join("; ") };
    },
  };
}
