import {
  type Clock,
  type Collection,
  type Collections,
  checkRevision,
  type Environment,
  type List,
  type LiveEvents,
  listOf,
  type ModelProtocol,
  type ModelPurpose,
  newId,
  notFound,
  type Page,
  pageOfHeld,
  type ResourceRecords,
  reply,
  resourceChanged,
  type SealedCollection,
} from "@parley/core";
import { keySource } from "./key-source.ts";
import type { KeyStore } from "./key-store.ts";
import { afterMove, fieldsOf, withBaseUrl } from "./model-fields.ts";
import { type ActivePointer, byQueue, createModelQueue, MAX_PRIORITY, type ModelQueue } from "./model-queue.ts";
import { type ModelSent, models } from "./model-resource.ts";
import { purposeDefaults } from "./purposes.ts";
import { modelFailure } from "./said-failures.ts";
import {
  CONNECTION_SECRETS,
  type ModelDraft,
  type ModelFields,
  type ModelPatch,
  type ModelView,
  type StoredModel,
} from "./schema.ts";

const MAX_MODELS = 500;

export interface ModelRecordsParts {
  readonly models: SealedCollection<StoredModel>;
  readonly pointers: Collection<ActivePointer>;
  readonly putTogether: Collections["putTogether"];
  readonly keys: KeyStore;
  readonly protocols: () => readonly ModelProtocol[];
  readonly environment: Environment;
  readonly events: LiveEvents;
  readonly clock: Clock;
}

export interface ModelRecords extends ModelQueue {
  readonly rows: ResourceRecords<ModelSent>;
  byPurpose(purpose: ModelPurpose, page: Page): Promise<List<ModelView> & { readonly purpose: ModelPurpose }>;
  /** By purpose, then priority; with keys sealed. */
  stored(): Promise<readonly StoredModel[]>;
  get(id: string): Promise<StoredModel>;
  view(model: StoredModel): Promise<ModelView>;
  activeId(purpose: ModelPurpose): Promise<string | null>;
  create(draft: ModelDraft, id?: string): Promise<ModelView>;
  update(
    id: string,
    patch: ModelPatch,
    ifMatch?: number,
  ): Promise<{ readonly model: ModelView; readonly notice: string }>;
  remove(id: string, ifMatch?: number): Promise<void>;
  toggle(id: string, enabled?: boolean): Promise<{ id: string; enabled: boolean; is_active: boolean }>;
  clone(id: string, name?: string): Promise<ModelView>;
  setPurpose(id: string, purpose: ModelPurpose, resetDefaults: boolean): Promise<ModelView>;
}

export function createModelRecords(parts: ModelRecordsParts): ModelRecords {
  const { pointers, keys, events, clock } = parts;
  const inTurn = createTurns();
  const now = () => new Date(clock.now()).toISOString();

  const stored = async () => [...(await parts.models.list())].sort(byQueue);
  const get = async (id: string) => {
    const model = await parts.models.get(id);
    if (!model) throw notFound("model", id);
    return model;
  };
  const activeId = async (purpose: ModelPurpose) => (await pointers.get(purpose))?.model_id ?? null;
  const isActive = async ({ id, purpose }: StoredModel) => (await activeId(purpose)) === id;
  const view = async (model: StoredModel): Promise<ModelView> => {
    const { key, ...fields } = CONNECTION_SECRETS.masked(model);
    return { ...fields, has_api_key: key !== null, api_key_masked: key?.mask ?? "", is_active: await isActive(model) };
  };
  const put = async (model: StoredModel, action: "created" | "updated" | "toggled") => {
    await parts.models.put(model);
    events.publish(resourceChanged("model", model.id, action, model.revision));
    return view(model);
  };
  const changed = (model: StoredModel, change: Partial<StoredModel>): StoredModel => ({
    ...model,
    ...change,
    updated_at: now(),
    revision: model.revision + 1,
  });
  const lastPriority = async (purpose: ModelPurpose) =>
    (await stored()).reduce((last, one) => (one.purpose === purpose ? Math.max(last, one.priority) : last), -1) + 1;
  const clearPointer = async (model: StoredModel) => {
    if (await isActive(model)) await pointers.remove(model.purpose);
  };
  const checkRoom = async () => {
    if ((await parts.models.list()).length >= MAX_MODELS) throw modelFailure("conflict", "full", { most: MAX_MODELS });
  };
  const common = () => ({ id: newId("model", clock.now()), created_at: now(), updated_at: now(), revision: 1 });

  const create: ModelRecords["create"] = (draft, id) =>
    inTurn(async () => {
      await checkRoom();
      const { api_key, api_key_from, ...fields } = CONNECTION_SECRETS.unmasked(draft);
      const start = { ...common(), ...(id !== undefined && { id }) };
      const purpose = fields.purpose ?? "chat";
      const priority = fields.priority ?? Math.min(await lastPriority(purpose), MAX_PRIORITY);
      const model: StoredModel = { ...fieldsOf(fields, parts.protocols()), priority, ...start, key: null };
      checkFields(model, parts);
      const source = keySource({ api_key, api_key_from }, model, await stored());
      const key = source ? keys.copied(source, model.id) : keys.written(model, api_key);
      return put({ ...model, key }, "created");
    });
  const update: ModelRecords["update"] = (id, patch, ifMatch) =>
    inTurn(async () => {
      const old = await get(id);
      checkRevision(old, ifMatch);
      const { api_key, api_key_from, purpose, ...fields } = CONNECTION_SECRETS.unmasked(patch, old);
      if (purpose !== undefined && purpose !== old.purpose) {
        throw modelFailure("bad_request", "set_purpose", {}, { field: "purpose" });
      }
      const next = changed(old, withBaseUrl(fields, old, parts.protocols()));
      checkFields(next, parts);
      const source = keySource({ api_key, api_key_from }, next, await stored());
      const given = { ...patch, ...(source && { api_key: "" }) };
      const { keepsKey, fields: left, notice } = afterMove(old, next, given);
      const own = keepsKey ? keys.written(old, api_key) : null;
      const saved = { ...next, ...left, key: source ? keys.copied(source, id) : own };
      // Switching the active one off ends its being active, by whichever row it is done.
      if (!saved.enabled) await clearPointer(saved);
      return { model: await put(saved, "updated"), notice };
    });
  const remove: ModelRecords["remove"] = (id, ifMatch) =>
    inTurn(async () => {
      const model = await get(id);
      checkRevision(model, ifMatch);
      if (await isActive(model)) throw modelFailure("conflict", "active");
      await parts.models.remove(id);
      events.publish(resourceChanged("model", id, "deleted"));
    });

  return {
    stored,
    get,
    view,
    activeId,
    create,
    update,
    remove,
    rows: {
      async page(query) {
        const asked = pageOfHeld(
          models,
          await stored(),
          query,
          (query.sort ?? "purpose") === "purpose" ? byQueue : undefined,
        );
        return viewed(asked, view);
      },
      get: async (id) => view(await get(id)),
      create: (draft) => create(draft),
      async change(id, patch, { ifMatch }) {
        const { model, notice } = await update(id, patch, ifMatch);
        return reply({ data: model, message: notice });
      },
      remove: (id, { ifMatch }) => remove(id, ifMatch),
    },
    async byPurpose(purpose, page) {
      const matches = (await stored()).filter((model) => model.purpose === purpose);
      return { ...(await viewed(listOf(matches, page), view)), purpose };
    },
    toggle: (id, wanted) =>
      inTurn(async () => {
        const model = await get(id);
        const enabled = wanted ?? !model.enabled;
        if (enabled !== model.enabled) {
          await put(changed(model, { enabled }), "toggled");
          if (!enabled) await clearPointer(model);
        }
        return { id, enabled, is_active: await isActive(model) };
      }),
    clone: (id, name) =>
      inTurn(async () => {
        await checkRoom();
        const model = await get(id);
        const start = common();
        const priority = Math.min(await lastPriority(model.purpose), MAX_PRIORITY);
        const copy = { name: name ?? `${model.name.slice(0, 93)} - Copy`, enabled: false, priority };
        return put({ ...model, ...copy, ...start, key: keys.copied(model, start.id) }, "created");
      }),
    setPurpose: (id, purpose, resetDefaults) =>
      inTurn(async () => {
        const model = await get(id);
        if (purpose === model.purpose && !resetDefaults) return view(model);
        const defaults = resetDefaults ? purposeDefaults(purpose) : {};
        const priority =
          purpose === model.purpose ? model.priority : Math.min(await lastPriority(purpose), MAX_PRIORITY);
        const next = changed(model, { ...defaults, purpose, priority });
        checkFields(next, parts);
        if (purpose !== model.purpose) await clearPointer(model);
        return put(next, "updated");
      }),
    ...createModelQueue({ ...parts, inTurn, get, stored, changed }),
  };
}

function checkFields(model: ModelFields, { protocols, environment }: ModelRecordsParts): void {
  const protocol = protocols().find(({ id }) => id === model.protocol);
  if (!protocol) throw modelFailure("bad_request", "unknown", { id: model.protocol }, { field: "protocol" });
  if (!protocol.purposes.includes(model.purpose)) {
    throw modelFailure(
      "bad_request",
      "unsupported",
      { id: model.protocol, purpose: model.purpose },
      { field: "protocol" },
    );
  }
  if (model.api_key_env !== null) environment.secret(model.api_key_env);
  for (const name of Object.values(model.extra_headers_env)) environment.secret(name);
}

async function viewed(
  list: List<StoredModel>,
  view: (model: StoredModel) => Promise<ModelView>,
): Promise<List<ModelView>> {
  return { ...list, items: await Promise.all(list.items.map(view)) };
}

/** Runs writes one after another: several records change together. */
function createTurns(): <Result>(run: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (run) => {
    const mine = last.then(run, run);
    last = mine.catch(() => {});
    return mine;
  };
}
