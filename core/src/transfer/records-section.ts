import Joi, { type Schema } from "@hapi/joi";
import { AppError } from "../errors.ts";
import type { TransferFailure, TransferSection } from "../points/transfer-section.ts";
import type { Resource, ResourceItem, ResourcePatch } from "../resource/resource.ts";
import type { ResourceRecords } from "../resource/resource-routes.ts";
import type { Caller } from "../services/accounts.ts";
import { type Named, planItems, variablesIn } from "./plan-items.ts";

const MAX_RECORDS = 10_000;
const PAGE = 500;

/** Records that go along in a package, and come in by their ids. */
export interface TransferredRecords<Item extends Named> extends Pick<TransferSection, "id" | "title"> {
  /** One record as it is written. */
  readonly item: Schema<Item>;
  all(caller: Caller): Promise<readonly Item[]>;
  /** The record as it would be here, beside the one that is there; a text says why it does not come in. */
  taken?(item: Item, there: Item | undefined): Item | string;
  create(item: Item, caller: Caller): Promise<unknown>;
  change(item: Item, changed: readonly string[], caller: Caller): Promise<unknown>;
}

/** The section of such records. One that cannot be stored is told, the others come in. */
export function recordsSection<Item extends Named>(records: TransferredRecords<Item>): TransferSection {
  const { id, title, item, all, taken = (one) => one, create, change } = records;
  const thereFor = async (caller: Caller) => new Map((await all(caller)).map((one) => [one.id, one]));
  const incoming = (part: readonly Item[], there: ReadonlyMap<string, Item>) =>
    part.map((one) => [one, taken(one, there.get(one.id))] as const);
  const section: TransferSection<readonly Item[]> = {
    id,
    title,
    schema: Joi.array<readonly Item[]>().items(item).unique("id").max(MAX_RECORDS),
    export: all,
    async plan(part, { mode, caller }) {
      const there = await thereFor(caller);
      const asked = incoming(part, there);
      const items = planItems(there, asked, { mode });
      const comes = new Set(items.filter(({ action }) => action !== "skip").map((one) => one.id));
      return { items, variables: [...new Set(variablesIn(asked.filter(([one]) => comes.has(one.id))))] };
    },
    async apply(part, { items }, { caller }) {
      const there = await thereFor(caller);
      const byId = new Map(incoming(part, there).map(([one, here]) => [one.id, here]));
      const store = async ({ id: itemId, action, changed_fields }: (typeof items)[number]) => {
        const here = byId.get(itemId);
        if (here === undefined || typeof here === "string" || action === "skip") return [];
        try {
          await (action === "create" ? create(here, caller) : change(here, changed_fields, caller));
          return [];
        } catch (error) {
          if (!AppError.is(error)) throw error;
          return [{ id: itemId, error: error.message }];
        }
      };
      return {
        async run() {
          const failed: TransferFailure[] = [];
          for (const one of items) failed.push(...(await store(one)));
          return failed;
        },
      };
    },
  };
  return section as unknown as TransferSection;
}

/** The section of a resource: every field that people set and see. Its own ids may be chosen when one is created. */
export function resourceSection<Fields extends { readonly name: string }>(
  section: Pick<TransferSection, "id" | "title">,
  resource: Resource<Fields>,
  records: () => ResourceRecords<Fields>,
  taken?: TransferredRecords<Fields & Named>["taken"],
): TransferSection {
  type Item = Fields & Named;
  const names = ["id", ...Object.keys(resource.fields)];
  const pick = (record: object, wanted: readonly string[]) =>
    Object.fromEntries(Object.entries(record).filter(([name]) => wanted.includes(name)));
  // Lists leave out what is long.
  const whole = async (listed: ResourceItem<Fields>, caller: Caller) =>
    resource.detail.length === 0 ? listed : records().get(listed.id, caller);
  return recordsSection<Item>({
    ...section,
    item: resource.draft.fork("id", (id) => id.required()) as unknown as Schema<Item>,
    async all(caller) {
      const found: Item[] = [];
      for (;;) {
        const { items, total } = await records().page({ limit: PAGE, offset: found.length }, caller);
        for (const listed of items) found.push(pick(await whole(listed, caller), names) as Item);
        if (items.length === 0 || found.length >= total) return found;
      }
    },
    ...(taken && { taken }),
    create: (item, caller) => records().create(item, { caller }),
    change: (item, changed, caller) =>
      records().change(item.id, pick(item, changed) as ResourcePatch<Fields>, { caller }),
  });
}
