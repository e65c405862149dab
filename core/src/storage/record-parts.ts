import { toLocalized } from "../error-texts.ts";
import { AppError } from "../errors.ts";
import type { LivingRecord, RecordCopy, RecordPart } from "../points/data/record-lifecycle.ts";
import type { Write } from "../services/storage/database.ts";
import { coreTexts } from "../texts.ts";

/**
 * All parts that plugins store of one kind of record, for the plugin that owns the record. An error names its part, except a
 * `conflict`, which is rethrown unchanged.
 */
export interface RecordParts {
  removed(id: string): Promise<readonly Write[]>;
  leaving(id: string): Promise<void>;
  copied(copy: RecordCopy): Promise<readonly Write[]>;
  withoutMessages(id: string, messageIds: readonly string[]): Promise<readonly Write[]>;
  /** Returns the exports by part id; empty parts are missing. */
  exported(id: string): Promise<Readonly<Record<string, unknown>>>;
  /** Prepares the import of the parts; `unknown` lists those no enabled plugin accepts. */
  imported(
    id: string,
    given: Readonly<Record<string, unknown>>,
  ): Promise<{ readonly writes: readonly Write[]; readonly unknown: readonly string[] }>;
}

/** Combines the parts that all plugins store of a kind of record. */
export function recordParts(all: () => readonly RecordPart[], of: LivingRecord): RecordParts {
  const ownParts = () => all().filter((part) => part.of === of);
  const callEach = async <Result>(ask: (part: RecordPart) => Promise<Result> | undefined) =>
    Promise.all(ownParts().map((part) => withPartName(part, async () => ask(part))));
  const writesOf = async (ask: (part: RecordPart) => Promise<readonly Write[]> | undefined) =>
    (await callEach(ask)).flatMap((writes) => writes ?? []);
  return {
    removed: (id) => writesOf((part) => part.removed?.(id)),
    leaving: async (id) => void (await callEach((part) => part.leaving?.(id))),
    copied: (copy) => writesOf((part) => part.copied?.(copy)),
    withoutMessages: async (id, messageIds) =>
      messageIds.length === 0 ? [] : writesOf((part) => part.withoutMessages?.(id, messageIds)),
    async exported(id) {
      const found = await callEach(async (part) => ({ name: part.id, json: await part.exported?.(id) }));
      return Object.fromEntries(found.flatMap((one) => (one?.json === undefined ? [] : [[one.name, one.json]])));
    },
    async imported(id, given) {
      const importers = new Map(ownParts().flatMap((part) => (part.imported ? [[part.id, part]] : [])));
      const unknown = Object.keys(given).filter((name) => !importers.has(name));
      const writes = await writesOf(async (part) => {
        if (!(part.id in given) || !importers.has(part.id)) return [];
        return part.imported?.(id, validatePart(part, given[part.id])) ?? [];
      });
      return { writes, unknown };
    },
  };
}

function validatePart({ schema }: RecordPart, given: unknown): unknown {
  if (!schema) return given;
  const { value, error } = schema.validate(given, { errors: { label: false } });
  if (error) throw new AppError("bad_request", [...(error.details[0]?.path ?? []), error.message].join(": "));
  return value;
}

async function withPartName<Result>({ id }: RecordPart, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    // A conflict already has a message for people.
    if (AppError.is(cause) && cause.code === "conflict") throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    if (!AppError.is(cause)) throw new AppError("unavailable", `${id}: ${reason}`, { cause });
    throw coreTexts.error(cause.code, "of_part", { id, reason: toLocalized(cause) }, { cause });
  }
}
