import { BUILTIN_ID, DEFAULTS, type Entry } from "./entry.ts";
import { isOtherConnection } from "./entry-checks.ts";
import type { ConnectedEntry } from "./external-tools.ts";
import type { ServersParts } from "./servers-parts.ts";

interface Slot extends ConnectedEntry {
  entry: Entry;
}

export interface FollowParts extends Pick<ServersParts, "entries" | "marks" | "secrets" | "signIns" | "log"> {
  readonly slots: Map<string, Slot>;
  readonly slotOf: (entry: Entry) => Promise<Slot>;
  readonly connectLater: (slot: Slot) => void;
  /** What models are offered may be another by now. */
  readonly changed: () => void;
}

/** Entries, secrets and seen tools that another process has changed, taken over one after another; returns the end of it. */
export function followOthers({ entries, marks, secrets, signIns, log, slots, ...parts }: FollowParts): () => void {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = (work: () => Promise<void>) => {
    last = last.then(work).catch((error: unknown) => log.error("a server that was changed is not followed", { error }));
  };
  const connectAnew = async (slot: Slot, isOther: boolean) => {
    const { entry, connection } = slot;
    const isWanted = connection.status().isConnected || (entry.auto_connect && entry.transport === "streamable-http");
    if (!entry.enabled || isOther) await connection.disconnect();
    if (entry.enabled && isWanted && !connection.status().isConnected) parts.connectLater(slot);
  };
  const take = async (entry: Entry) => {
    const slot = slots.get(entry.id);
    if (!slot) {
      const made = await parts.slotOf(entry);
      slots.set(entry.id, made);
      return connectAnew(made, false);
    }
    const old = slot.entry;
    slot.entry = entry;
    await connectAnew(slot, isOtherConnection(old, entry));
  };
  const remove = async (id: string) => {
    const slot = slots.get(id);
    slots.delete(id);
    await slot?.connection.disconnect();
  };
  const ends = [
    entries.onElsewhere((id, entry) =>
      inTurn(async () => {
        // The built-in one is there or not by the configuration of each process.
        if (entry && (slots.has(id) || id !== BUILTIN_ID)) await take({ ...DEFAULTS, ...entry });
        else if (!entry) await remove(id);
        parts.changed();
      }),
    ),
    secrets.follow((id) =>
      inTurn(async () => {
        const slot = slots.get(id);
        if (slot) await connectAnew(slot, true);
      }),
    ),
    signIns.follow((id, isSignedIn) =>
      inTurn(async () => {
        const slot = slots.get(id);
        if (!isSignedIn) await slot?.connection.disconnect();
        // What is connected takes the new token with its next call.
        else if (slot?.entry.enabled && slot.entry.auto_connect && !slot.connection.status().isConnected)
          parts.connectLater(slot);
      }),
    ),
    marks.onElsewhere((id, stored) => {
      slots.get(id)?.seen.take(stored);
      parts.changed();
    }),
  ];
  return () => {
    for (const end of ends) end();
  };
}
