import {
  type Collection,
  createPersonData,
  type Database,
  type DocumentKind,
  erasePersonRows,
  type LiveEvents,
  type PersonData,
  type PersonIds,
  type RecordPart,
  resourceChanged,
  type TextIndex,
} from "@parley/core";
import type { SessionService } from "../conversations/session-service.ts";
import type { SessionDeps } from "../session-deps.ts";
import { eraseHistory } from "./erase-history.ts";
import { type FindPersonDeps, findPerson } from "./find-person.ts";

/** Marks events about people, so that only administrators receive them. */
const PEOPLE = { kind: "person", scopes: { read: "admin" } } as const;

/** Numbers of erased rows by table, and of other data by part id. */
export type ErasedCounts = Readonly<Record<string, number>>;

/** An erasure. It names the person while it runs; afterwards it has only the counts. */
export interface StoredErasure {
  readonly id: string;
  readonly person_id: string | null;
  readonly ids: PersonIds | null;
  readonly counts: ErasedCounts | null;
}

export const PERSON_ERASURES: DocumentKind<StoredErasure> = { name: "person-erasures" };

export interface ErasuresDeps extends FindPersonDeps {
  readonly stored: () => Collection<StoredErasure>;
  readonly sessionDeps: () => SessionDeps;
  readonly sessionService: () => Pick<SessionService, "remove">;
  readonly personLifecycles: () => readonly RecordPart[];
  readonly texts: () => TextIndex | undefined;
  /** Overwrites deleted data in the files of the database. */
  compact(): Promise<void>;
  readonly events: LiveEvents;
}

export interface Erasures {
  /** Finds a person and all ids that are stored for that person. */
  find(personId: string): Promise<PersonData>;
  begin(id: string, personId: string): Promise<void>;
  get(id: string): Promise<StoredErasure | undefined>;
  /** Erases the remaining data, also after a crash. Returns the counts of this run. */
  run(id: string, progress: (fraction: number) => void, signal: AbortSignal): Promise<ErasedCounts>;
}

export function createErasures(deps: ErasuresDeps): Erasures {
  const { stored, personLifecycles, events } = deps;
  const find = async (personId: string) => {
    const ids = await findPerson(deps, personId);
    const found = await Promise.all(personLifecycles().map((part) => part.findTraces?.(createPersonData(ids))));
    return createPersonData({ ...ids, traces: [...new Set([...ids.traces, ...found.flatMap((some) => some ?? [])])] });
  };
  return {
    find,
    begin: (id, personId) => stored().put({ id, person_id: personId, ids: null, counts: null }),
    get: (id) => stored().get(id),
    async run(id, progress, signal) {
      const erasure = await stored().get(id);
      if (!erasure?.person_id) {
        await deps.compact();
        return erasure?.counts ?? {};
      }
      // The ids are stored first, because they could not be found again after a deletion.
      const ids = erasure.ids ?? toPersonIds(await find(erasure.person_id));
      await stored().put({ ...erasure, ids });
      const counts = await eraseAll(deps, createPersonData(ids), progress, signal);
      await stored().put({ id, person_id: null, ids: null, counts });
      await deps.compact();
      events.publish(resourceChanged(PEOPLE, id, "deleted"));
      return counts;
    },
  };
}

function toPersonIds({ addresses, sessions, sharedSessions, messages, traces, files }: PersonIds): PersonIds {
  return { addresses, sessions, sharedSessions, messages, traces, files };
}

/** Erases the data of plugins outside of rows, then the history, and then all rows that still name the person. */
async function eraseAll(
  deps: ErasuresDeps,
  person: PersonData,
  progress: (fraction: number) => void,
  signal: AbortSignal,
): Promise<ErasedCounts> {
  const counts: Record<string, number> = {};
  const eraseFromPlugins = async () => {
    for (const part of deps.personLifecycles()) {
      signal.throwIfAborted();
      const erased = await part.erase?.(person);
      if (erased !== undefined) counts[part.id] = (counts[part.id] ?? 0) + erased;
    }
  };
  await eraseFromPlugins();
  progress(0.3);
  Object.assign(counts, await eraseHistory(deps.sessionDeps(), deps.sessionService(), person));
  progress(0.6);
  await eraseFromPlugins();
  return { ...counts, ...(await erasePersonRows(toPersonRowsOptions(deps), person)) };
}

/** Returns how rows in each table of the main database are erased, as plugins declare it. */
export function toPersonRowsOptions({
  database,
  personLifecycles,
  texts,
}: Pick<ErasuresDeps, "database" | "personLifecycles" | "texts">) {
  const main: Database = database();
  const stored = texts()?.stored(main);
  return {
    database: main,
    tables: personLifecycles().flatMap(({ tables = [] }) => tables),
    isDerived: (table: string) => stored?.kindOf(table) !== undefined,
  };
}
