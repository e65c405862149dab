import type { Database } from "@parley/core";
import type { OpenNodes } from "./cluster/nodes.ts";
import type { OpenSignals } from "./cluster/signals.ts";
import type { Writer } from "./connection/writer.ts";

export interface OpenServer {
  readonly version: string;
  readonly main: Database;
  /** The same tables through a connection whose commits do not wait for the disk. */
  readonly history: Database;
  readonly signals: OpenSignals;
  readonly nodes: OpenNodes | undefined;
  readonly writers: readonly Writer[];
  readonly alone: <T>(name: string, work: () => Promise<T>) => Promise<T>;
  readonly close: () => Promise<void>;
}
