import type { Area } from "../../shared/area.ts";

export const area: Area = {
  id: "channels",
  paths: ["/channels"],
  page: async () => (await import("./page.tsx")).ChannelsPage,
};
