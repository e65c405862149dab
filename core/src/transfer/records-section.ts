import Joi, { type Schema } from "@hapi/joi";
import { toItemFailure } from "../error-texts.ts";
import { AppError } from "../errors.ts";
import type {
  TransferContext,
  TransferFailure,
  TransferPlan,
  TransferSecrets,
  TransferSection,
  TransferSteps,
} from "../points/data/transfer-section.ts";
import type { Resource, ResourceItem, ResourcePatch } from "../resource/resource.ts";
import type { ResourceRecords } from "../resource/resource-routes.ts";
import { LITERAL_SECRETS, type LiteralSecrets } from "../secrets/literal-secrets.ts";
import type { Caller } from "../services/operations/accounts.ts";
import { findVariables, isSkipReason, mergeUnset, type NamedItem, planItems, type SkipReason } from "./plan-items.ts";

const MAX_RECORDS = 10_000;
const PAGE_SIZE = 500;

/** Records that are part of a package, imported by id. */
export interface TransferredRecords<Item extends NamedItem> extends Pick<TransferSection, "id" | "title"> {
  /** Schema of one exported record. */
  readonly item: Schema<Item>;
  all(caller: Caller): Promise<readonly Item[]>;
  /** Returns the record as it would be stored next to the existing one, or the reason it is skipped. */
  taken?(item: Item, existing: Item | undefined): Item | SkipReason;
  /**
   * Returns the initial fields of a record that exists from the beginning: mode `skip` imports into the fields that were not
   * changed. Undefined for other records, which are skipped whole.
   */
  initial?(existing: Item): Partial<Item> | undefined;
  /** Field in which a key is imported (null without one), and the existing keys. */
  readonly secret?: { readonly field: string; all(caller: Caller): Promise<TransferSecrets> };
  /** Secrets that people wrote into other fields; imported by the field `LITERAL_SECRETS` through `LiteralSecrets.comingIn`. */
  readonly literals?: LiteralRecords<Item>;
  create(item: Item, caller: Caller): Promise<unknown>;
  change(item: Item, changed: readonly string[], caller: Caller): Promise<unknown>;
  remove(id: string, caller: Caller): Promise<unknown>;
}

/** Records that people have written secrets into. */
export interface LiteralRecords<Item extends object> {
  readonly secrets: LiteralSecrets<Item>;
  /** Returns all records with their secrets. */
  all(): Promise<readonly (Partial<Item> & { readonly id: string })[]>;
}

/** Creates the section of such records. A rejected record is reported; the others are imported. */
export function recordsSection<Item extends NamedItem>(records: TransferredRecords<Item>): TransferSection {
  const { id, title, item } = records;
  const packed = createSecretsExport(records);
  const section: TransferSection<readonly Item[]> = {
    id,
    title,
    schema: Joi.array<readonly Item[]>().max(MAX_RECORDS).items(item).unique("id"),
    export: records.all,
    ...(packed && { secrets: packed.all }),
    async plan(part, context) {
      const existing = await readExisting(records, context.caller);
      const asked = prepareIncoming(records, part, existing, context);
      const initial = [...existing.values()].filter((one) => records.initial?.(one)).map((one) => one.id);
      const items = planItems(existing, asked, context, new Set(initial));
      const comes = new Set(items.filter(({ action }) => action !== "skip").map((one) => one.id));
      return { items, variables: [...new Set(findVariables(asked.filter(([one]) => comes.has(one.id))))] };
    },
    async apply(part, { items }, context) {
      const existing = await readExisting(records, context.caller);
      const asked = prepareIncoming(records, part, existing, context).map(([one, here]) => [one.id, here] as const);
      return createImportSteps(records, { items, existing, asked: new Map(asked), caller: context.caller });
    },
  };
  return section as unknown as TransferSection;
}

/** Creates the export of secrets by record id; secrets written into other fields have a marked id when the record also has a key. */
function createSecretsExport<Item extends NamedItem>({ secret, literals }: TransferredRecords<Item>) {
  if (!secret && !literals) return undefined;
  const literalsOf = (id: string) => (secret ? `${id}#${LITERAL_SECRETS}` : id);
  return {
    async all(caller: Caller): Promise<TransferSecrets> {
      const items = (await literals?.all()) ?? [];
      const written = items.map((item) => [literalsOf(item.id), literals?.secrets.in(item) ?? {}] as const);
      const withSecrets = written.filter(([, places]) => Object.keys(places).length > 0);
      const asText = withSecrets.map(([id, places]) => [id, JSON.stringify(places)]);
      return { ...(await secret?.all(caller)), ...Object.fromEntries(asText) };
    },
    /** Returns the import fields of a record's secrets; `missing` for those without one. */
    fields<Missing>(id: string, keys: TransferSecrets, missing: Missing) {
      return {
        ...(secret && { [secret.field]: keys[id] ?? missing }),
        ...(literals && { [LITERAL_SECRETS]: keys[literalsOf(id)] ?? missing }),
      };
    },
  };
}

async function readExisting<Item extends NamedItem>(records: TransferredRecords<Item>, caller: Caller) {
  const packed = createSecretsExport(records);
  const keys = (await packed?.all(caller)) ?? {};
  return new Map((await records.all(caller)).map((one) => [one.id, { ...one, ...packed?.fields(one.id, keys, null) }]));
}

function prepareIncoming<Item extends NamedItem>(
  records: TransferredRecords<Item>,
  part: readonly Item[],
  existing: ReadonlyMap<string, Item>,
  { secrets = {}, mode }: TransferContext,
): readonly (readonly [Item, Item | SkipReason])[] {
  const { taken = (one) => one } = records;
  const packed = createSecretsExport(records);
  return part.map((one) => {
    const old = existing.get(one.id);
    const here = taken(one, old);
    if (isSkipReason(here)) return [one, here];
    const given = Object.entries(packed?.fields(one.id, secrets, undefined) ?? {}).filter(
      ([, key]) => key !== undefined,
    );
    const incoming = { ...here, ...Object.fromEntries(given) };
    const initial = mode === "skip" && old ? records.initial?.(old) : undefined;
    return [one, old && initial ? mergeUnset(incoming, old, initial) : incoming];
  });
}

interface ImportPlan<Item> {
  readonly items: TransferPlan["items"];
  readonly existing: ReadonlyMap<string, Item>;
  readonly asked: ReadonlyMap<string, Item | SkipReason>;
  readonly caller: Caller;
}

function createImportSteps<Item extends NamedItem>(
  { create, change, remove }: TransferredRecords<Item>,
  { items, existing, asked, caller }: ImportPlan<Item>,
): TransferSteps {
  const done: (() => Promise<unknown>)[] = [];
  const store = async ({ id, action, changed_fields }: TransferPlan["items"][number]) => {
    const here = asked.get(id);
    if (here === undefined || isSkipReason(here) || action === "skip") return;
    const old = existing.get(id);
    await (action === "create" ? create(here, caller) : change(here, changed_fields, caller));
    done.unshift(() => (old ? change(old, changed_fields, caller) : remove(id, caller)));
  };
  return {
    async run() {
      const rejected: TransferFailure[] = [];
      for (const one of items) {
        try {
          await store(one);
        } catch (error) {
          if (!AppError.is(error)) throw error;
          rejected.push({ id: one.id, ...toItemFailure(error) });
        }
      }
      return rejected;
    },
    async undo() {
      for (const back of done.splice(0)) await back();
    },
  };
}

/** Creates the transfer section of a resource: every field that people edit and see. New records may have chosen ids. */
export function resourceSection<Fields extends { readonly name: string }>(
  section: Pick<TransferSection, "id" | "title">,
  resource: Resource<Fields>,
  records: () => ResourceRecords<Fields>,
  taken?: TransferredRecords<Fields & NamedItem>["taken"],
  literals?: LiteralRecords<NoInfer<Fields>>,
  initial?: TransferredRecords<Fields & NamedItem>["initial"],
): TransferSection {
  type Item = Fields & NamedItem;
  const names = ["id", ...Object.keys(resource.fields)];
  // Lists omit long fields.
  const readWhole = async (listed: ResourceItem<Fields>, caller: Caller) =>
    resource.detail.length === 0 ? listed : records().get(listed.id, caller);
  return recordsSection<Item>({
    ...section,
    item: resource.draft.fork("id", (id) => id.required()) as unknown as Schema<Item>,
    async all(caller) {
      const found: Item[] = [];
      for (;;) {
        const { items, total } = await records().page({ limit: PAGE_SIZE, offset: found.length }, caller);
        for (const listed of items) found.push(pick(await readWhole(listed, caller), names) as Item);
        if (items.length === 0 || found.length >= total) return found;
      }
    },
    ...(taken && { taken }),
    ...(initial && { initial }),
    ...(literals && { literals: literals as LiteralRecords<Item> }),
    create: async (item, caller) => records().create((await addLiterals(item, item, literals)) as Item, { caller }),
    async change(item, changed, caller) {
      const patch = await addLiterals(item, pick(item, changed), literals);
      return records().change(item.id, patch as ResourcePatch<Fields>, { caller });
    },
    remove: (id, caller) => records().remove(id, { caller }),
  });
}

function pick(record: object, wanted: readonly string[]): object {
  return Object.fromEntries(Object.entries(record).filter(([name]) => wanted.includes(name)));
}

/** Adds an item's written secrets to its stored form; imported ones cover all fields that may contain some. */
async function addLiterals<Fields extends object>(
  item: Fields & NamedItem,
  stored: object,
  literals: LiteralRecords<Fields> | undefined,
): Promise<object> {
  if (!literals) return stored;
  const { secrets, all } = literals;
  const { [LITERAL_SECRETS]: packed, ...fields } = { ...stored } as Partial<Fields> & { [LITERAL_SECRETS]?: unknown };
  const includesSecrets = packed !== undefined || secrets.fields.some((name) => name in fields);
  if (!includesSecrets) return fields;
  const existing = (await all()).find(({ id }) => id === item.id);
  return secrets.comingIn({ ...pick(item, secrets.fields), ...fields } as Partial<Fields>, packed, existing);
}
