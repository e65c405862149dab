import { AppError, notFound } from "./errors.ts";
import { newId } from "./ids.ts";
import type { Collection } from "./services/collections.ts";
import type { Clock } from "./services/host.ts";
import { type LiveEvents, resourceChanged } from "./services/live-events.ts";

/** The fields every record carries (contract README §5). */
export interface Common {
  readonly id: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly revision: number;
}

export interface RecordsParts<Item extends Common> {
  readonly collection: Collection<Item>;
  /** Of new ids. */
  readonly prefix: string;
  /** In `resource_changed` and in errors: `api_key`. */
  readonly kind: string;
  readonly events: LiveEvents;
  readonly clock: Clock;
}

/** Records with revisions: what most resources do with a collection, once. */
export interface Records<Item extends Common> {
  all(): Promise<readonly Item[]>;
  /** `not_found` when there is none. */
  get(id: string): Promise<Item>;
  create(fields: Omit<Item, keyof Common>): Promise<Item>;
  /** Refuses with `conflict` when `ifMatch` is another revision; `change` gives the fields that differ. */
  change(id: string, change: (item: Item) => Partial<Omit<Item, keyof Common>>, ifMatch?: number): Promise<Item>;
  remove(id: string): Promise<void>;
}

export function createRecords<Item extends Common>(parts: RecordsParts<Item>): Records<Item> {
  const { collection, prefix, kind, events, clock } = parts;
  const noun = kind.replaceAll("_", " ");
  const now = () => new Date(clock.now()).toISOString();
  return {
    all: () => collection.list(),
    async get(id) {
      const item = await collection.get(id);
      if (!item) throw notFound(noun, id);
      return item;
    },
    async create(fields) {
      const at = now();
      const item = { id: newId(prefix, clock.now()), ...fields, created_at: at, updated_at: at, revision: 1 } as Item;
      await collection.put(item);
      events.publish(resourceChanged(kind, item.id, "created", item.revision));
      return item;
    },
    async change(id, change, ifMatch) {
      if (!(await collection.get(id))) throw notFound(noun, id);
      const item = await collection.update(id, (old) => {
        checkRevision(old, ifMatch);
        return { ...old, ...change(old), updated_at: now(), revision: old.revision + 1 };
      });
      events.publish(resourceChanged(kind, id, "updated", item.revision));
      return item;
    },
    async remove(id) {
      if (!(await collection.remove(id))) throw notFound(noun, id);
      events.publish(resourceChanged(kind, id, "deleted"));
    },
  };
}

/** Throws `conflict` when a caller's `If-Match` is not the record's revision. */
export function checkRevision({ revision }: { readonly revision: number }, ifMatch: number | undefined): void {
  if (ifMatch !== undefined && ifMatch !== revision) {
    throw new AppError("conflict", `the record was changed meanwhile: its revision is ${revision}, not ${ifMatch}`);
  }
}
