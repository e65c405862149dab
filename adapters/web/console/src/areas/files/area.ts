import type { Area } from "../../shared/area.ts";

export const area: Area = {
  id: "files",
  paths: ["/files"],
  page: async () => (await import("./page.tsx")).FilesPage,
};
