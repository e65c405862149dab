import { parley } from "./client.ts";
import { type Page, readAllPages } from "./list-pages.ts";

/** Returns a schedule by its id; null where none exists. */
export async function findSchedule(scheduleId: string) {
  const read = (page: Page) => parley.get("/api/schedules", { query: page });
  const all = await readAllPages(read, ({ id }) => id);
  return all.find(({ id }) => id === scheduleId) ?? null;
}
