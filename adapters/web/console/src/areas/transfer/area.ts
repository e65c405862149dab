import type { Area } from "../../shared/area.ts";

export const area: Area = {
  id: "transfer",
  paths: ["/transfer"],
  page: async () => (await import("./page.tsx")).TransferPage,
};
