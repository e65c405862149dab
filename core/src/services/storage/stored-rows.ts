import { type ServiceKey, serviceKey } from "../../extension-point.ts";
import type { Databases } from "./database.ts";

/** Rows that a server keeps, read from beside the services that work on them. A storage in files has none: its files are read. */
export interface StoredRows {
  /**
   * Runs `read` on everything that is stored at one moment, whatever is written meanwhile; what it is given writes nothing. The
   * plugin need not have started, and services may work on the database.
   */
  atOneMoment<T>(read: (databases: Databases) => Promise<T>): Promise<T>;
}
export const StoredRows: ServiceKey<StoredRows> = serviceKey("stored-rows");
