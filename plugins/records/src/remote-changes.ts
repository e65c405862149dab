import type { Logger, Signals, StoredRecords, Write } from "@parley/core";
import { type ChangeReader, createChangeReader } from "@parley/core/storage";

const TOPIC = "records";

const waitForAll = async (reads: readonly Promise<void>[]): Promise<void> => void (await Promise.allSettled(reads));

/** Synchronizes the caches of other processes for records of one kind. */
export interface RemoteRecordChanges extends Pick<StoredRecords<object>, "onElsewhere"> {
  /** Returns writes that notify of a changed record, or of all without an id; for the transaction of the change. */
  toNotifyWrites(id?: string): readonly Write[];
}

export interface RemoteChanges {
  forKind(kind: string): RemoteRecordChanges;
  /** Follows changes of other processes; returns an unsubscribe function. */
  listen(): () => void;
}

export function createRemoteChanges(signals: () => Signals | undefined, log: Logger): RemoteChanges {
  const listeners = new Map<string, Set<ChangeReader>>();
  return {
    forKind(kind) {
      const those = listeners.get(kind) ?? new Set();
      listeners.set(kind, those);
      return {
        toNotifyWrites(id) {
          // All processes run the same plugins, so without a listener here there is none in another process.
          if (those.size === 0) return [];
          return signals()?.telling([{ topic: TOPIC, key: id === undefined ? kind : `${kind} ${id}` }]) ?? [];
        },
        onElsewhere(listener) {
          const report = (error: unknown) => log.error("changes of another process could not be read", { kind, error });
          const reader = createChangeReader(listener, report);
          those.add(reader);
          return () => {
            those.delete(reader);
            reader.end();
          };
        },
      };
    },
    listen() {
      const end = signals()?.listen(TOPIC, (key) => {
        const [kind, id] = key?.split(" ", 2) ?? [];
        const concerned = [...listeners].filter(([own]) => kind === undefined || kind === own);
        return waitForAll(concerned.flatMap(([, those]) => [...those].map((one) => one.changed(id))));
      });
      return end ?? (() => {});
    },
  };
}
