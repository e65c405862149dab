import { parley } from "./client.ts";
import { readAllPages } from "./list-pages.ts";

export const personas = {
  /** Fetches every persona that the account may use, sorted by name. */
  listAll: () =>
    readAllPages(
      (page) => parley.get("/api/personas", { query: { ...page, sort: "name" } }),
      ({ id }) => id,
    ),
};
