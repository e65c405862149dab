import {
  aloneWith,
  type Clock,
  type Collection,
  checkRevision,
  type Environment,
  type LiveEvents,
  type ModelProtocol,
  type ModelPurpose,
  newId,
  notFound,
  type RecordStore,
  type ResourceRecords,
  reply,
  resourceChanged,
  toRecordPage,
} from "@parley/core";
import { createSerialQueue } from "@parley/core/async";
import { type List, type Page, toPage } from "@parley/core/http";
import {
  type ActivePointer,
  compareByPriority,
  createModelPriorities,
  MAX_PRIORITY,
  type ModelPriorities,
} from "../failover/model-priorities.ts";
import { modelsTexts } from "../texts.ts";
import { findKeySource } from "./key-source.ts";
import type { KeyStore } from "./key-store.ts";
import { type ModelFields, resolveBaseUrl, resolveCredentials, withDefaults } from "./model-fields.ts";
import { type ModelInput, models } from "./model-resource.ts";
import { getPurposeDefaults } from "./purposes.ts";
import { CONNECTION_SECRETS, type ModelDraft, type ModelPatch, type ModelView, type StoredModel } from "./schema.ts";

const MAX_MODELS = 500;

export interface ModelRecordsDeps {
  readonly models: Collection<StoredModel>;
  readonly pointers: Collection<ActivePointer>;
  readonly putTogether: RecordStore["putTogether"];
  readonly keys: KeyStore;
  readonly protocols: () => readonly ModelProtocol[];
  readonly environment: Environment;
  readonly events: LiveEvents;
  readonly clock: Clock;
}

/** Defaults of fields that records of earlier versions lack. */
const LATER_FIELDS = { cache_read_price: null, cache_write_price: null };

export interface ModelRecords extends ModelPriorities {
  readonly rows: ResourceRecords<ModelInput>;
  byPurpose(purpose: ModelPurpose, page: Page): Promise<List<ModelView> & { readonly purpose: ModelPurpose }>;
  /** Returns all models by purpose, then by priority; their keys are encrypted. */
  listStored(): Promise<readonly StoredModel[]>;
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

export function createModelRecords(deps: ModelRecordsDeps): ModelRecords {
  const { pointers, keys, events, clock } = deps;
  // One write may change several records.
  const runInTurn = createSerialQueue();
  /** Other nodes may change models at the same time. */
  const runExclusive = <Result>(run: () => Promise<Result>) => runInTurn(() => aloneWith(deps.models, run));
  const now = () => new Date(clock.now()).toISOString();

  const listStored = async () => [...(await deps.models.list())].sort(compareByPriority);
  const get = async (id: string) => {
    const model = await deps.models.get(id);
    if (!model) throw notFound("model", id);
    return model;
  };
  const activeId = async (purpose: ModelPurpose) => (await pointers.get(purpose))?.model_id ?? null;
  const isActive = async ({ id, purpose }: StoredModel) => (await activeId(purpose)) === id;
  const view = async (model: StoredModel): Promise<ModelView> => {
    const { key, ...fields } = CONNECTION_SECRETS.masked(model);
    return {
      ...LATER_FIELDS,
      ...fields,
      has_api_key: key !== null,
      api_key_masked: key?.mask ?? "",
      is_active: await isActive(model),
    };
  };
  const put = async (model: StoredModel, action: "created" | "updated" | "toggled") => {
    await deps.models.put(model);
    events.publish(resourceChanged("model", model.id, action, model.revision));
    return view(model);
  };
  const withChanges = (model: StoredModel, change: Partial<StoredModel>): StoredModel => ({
    ...model,
    ...change,
    updated_at: now(),
    revision: model.revision + 1,
  });
  const nextPriority = async (purpose: ModelPurpose) =>
    (await listStored()).reduce((last, one) => (one.purpose === purpose ? Math.max(last, one.priority) : last), -1) + 1;
  const clearPointer = async (model: StoredModel) => {
    if (await isActive(model)) await pointers.remove(model.purpose);
  };
  const assertCapacity = async () => {
    if ((await deps.models.list()).length >= MAX_MODELS)
      throw modelsTexts.error("conflict", "full", { most: MAX_MODELS });
  };
  const newRecordFields = () => ({
    id: newId("model", clock.now()),
    created_at: now(),
    updated_at: now(),
    revision: 1,
  });

  const create: ModelRecords["create"] = (draft, id) =>
    runExclusive(async () => {
      await assertCapacity();
      const { api_key, api_key_from, ...fields } = CONNECTION_SECRETS.unmasked(draft);
      const start = { ...newRecordFields(), ...(id !== undefined && { id }) };
      const purpose = fields.purpose ?? "chat";
      const priority = fields.priority ?? Math.min(await nextPriority(purpose), MAX_PRIORITY);
      const model: StoredModel = { ...withDefaults(fields, deps.protocols()), priority, ...start, key: null };
      checkFields(model, deps);
      const source = findKeySource({ api_key, api_key_from }, model, await listStored());
      const key = source ? keys.copyFor(source, model.id) : keys.update(model, api_key);
      return put({ ...model, key }, "created");
    });
  const update: ModelRecords["update"] = (id, patch, ifMatch) =>
    runExclusive(async () => {
      const old = await get(id);
      checkRevision(old, ifMatch);
      const { api_key, api_key_from, purpose, ...fields } = CONNECTION_SECRETS.unmasked(patch, old);
      if (purpose !== undefined && purpose !== old.purpose) {
        throw modelsTexts.error("bad_request", "set_purpose", {}, { field: "purpose" });
      }
      const next = withChanges(old, resolveBaseUrl(fields, old, deps.protocols()));
      checkFields(next, deps);
      const source = findKeySource({ api_key, api_key_from }, next, await listStored());
      const credentials = { ...patch, ...(source && { api_key: "" }) };
      const { keepsKey, fields: clearedFields, notice } = resolveCredentials(old, next, credentials);
      const ownKey = keepsKey ? keys.update(old, api_key) : null;
      const saved = { ...next, ...clearedFields, key: source ? keys.copyFor(source, id) : ownKey };
      // A disabled model is no longer the active one, by whichever route it was disabled.
      if (!saved.enabled) await clearPointer(saved);
      return { model: await put(saved, "updated"), notice };
    });
  const remove: ModelRecords["remove"] = (id, ifMatch) =>
    runExclusive(async () => {
      const model = await get(id);
      checkRevision(model, ifMatch);
      if (await isActive(model)) throw modelsTexts.error("conflict", "active");
      await deps.models.remove(id, (stored) => checkRevision(stored, ifMatch));
      events.publish(resourceChanged("model", id, "deleted"));
    });

  return {
    listStored,
    get,
    view,
    activeId,
    create,
    update,
    remove,
    rows: {
      async page(query) {
        const list = toRecordPage(
          models,
          await listStored(),
          query,
          (query.sort ?? "purpose") === "purpose" ? compareByPriority : undefined,
        );
        return toViews(list, view);
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
      const matches = (await listStored()).filter((model) => model.purpose === purpose);
      return { ...(await toViews(toPage(matches, page), view)), purpose };
    },
    toggle: (id, wanted) =>
      runExclusive(async () => {
        const model = await get(id);
        const enabled = wanted ?? !model.enabled;
        if (enabled !== model.enabled) {
          await put(withChanges(model, { enabled }), "toggled");
          if (!enabled) await clearPointer(model);
        }
        return { id, enabled, is_active: await isActive(model) };
      }),
    clone: (id, name) =>
      runExclusive(async () => {
        await assertCapacity();
        const model = await get(id);
        const start = newRecordFields();
        const priority = Math.min(await nextPriority(model.purpose), MAX_PRIORITY);
        const copy = { name: name ?? `${model.name.slice(0, 93)} - Copy`, enabled: false, priority };
        return put({ ...model, ...copy, ...start, key: keys.copyFor(model, start.id) }, "created");
      }),
    setPurpose: (id, purpose, resetDefaults) =>
      runExclusive(async () => {
        const model = await get(id);
        if (purpose === model.purpose && !resetDefaults) return view(model);
        const defaults = resetDefaults ? getPurposeDefaults(purpose) : {};
        const priority =
          purpose === model.purpose ? model.priority : Math.min(await nextPriority(purpose), MAX_PRIORITY);
        const next = withChanges(model, { ...defaults, purpose, priority });
        checkFields(next, deps);
        if (purpose !== model.purpose) await clearPointer(model);
        return put(next, "updated");
      }),
    ...createModelPriorities({ ...deps, runExclusive, get, listStored, withChanges }),
  };
}

function checkFields(model: ModelFields, { protocols, environment }: ModelRecordsDeps): void {
  const protocol = protocols().find(({ id }) => id === model.protocol);
  if (!protocol) throw modelsTexts.error("bad_request", "unknown", { id: model.protocol }, { field: "protocol" });
  if (!protocol.purposes.includes(model.purpose)) {
    throw modelsTexts.error(
      "bad_request",
      "unsupported",
      { id: model.protocol, purpose: model.purpose },
      { field: "protocol" },
    );
  }
  if (model.api_key_env !== null) environment.secret(model.api_key_env);
  for (const name of Object.values(model.extra_headers_env)) environment.secret(name);
}

async function toViews(
  list: List<StoredModel>,
  view: (model: StoredModel) => Promise<ModelView>,
): Promise<List<ModelView>> {
  return { ...list, items: await Promise.all(list.items.map(view)) };
}
