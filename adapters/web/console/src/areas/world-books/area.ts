import type { Area } from "../../shared/area.ts";

export const area: Area = {
  id: "world-books",
  paths: ["/world-books", "/world-books/$bookId"],
  page: async () => (await import("./page.tsx")).WorldBooksPage,
};
