import { type ServiceKey, serviceKey } from "../../extension-point.ts";
import type { Databases } from "./database.ts";

/** Rows on a server, read while services may be running. A storage in files does not provide it, because its files are read directly. */
export interface StoredRows {
  /** Runs `read` on a consistent snapshot of all databases, read-only. Must work without the plugin's start, and while services use the database. */
  atOneMoment<T>(read: (databases: Databases) => Promise<T>): Promise<T>;
}
export const StoredRows: ServiceKey<StoredRows> = serviceKey("stored-rows");
