import type { Area } from "../../shared/area.ts";

export const area: Area = {
  id: "conversations",
  paths: ["/", "/sessions/$sessionId"],
  partChangeScope: "admin",
  page: async () => (await import("./page.tsx")).ConversationsPage,
};
