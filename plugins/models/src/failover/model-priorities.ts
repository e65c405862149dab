import {
  type Collection,
  type DocumentKind,
  type LiveEvents,
  type ModelPurpose,
  type RecordStore,
  resourceChanged,
} from "@parley/core";
import { CONNECTION_SECRETS, type StoredModel } from "../records/schema.ts";
import { modelsTexts } from "../texts.ts";
import { type NewPriority, renumber } from "./renumber.ts";

export const MAX_PRIORITY = 10_000;

/** Points to the model that `apply` made the active one of a purpose. */
export interface ActivePointer {
  /** The purpose. */
  readonly id: string;
  readonly model_id: string;
}

export const MODELS: DocumentKind<StoredModel> = {
  name: "models",
  secrets: CONNECTION_SECRETS,
  sealedAs: "model-request",
};
export const ACTIVE_MODELS: DocumentKind<ActivePointer> = { name: "active-models" };

/** Manages the order of the models of a purpose. */
export interface ModelPriorities {
  apply(
    id: string,
    purpose?: ModelPurpose,
  ): Promise<{ model_id: string; purpose: string; previous_model_id: string | null }>;
  /** Stores new priorities; the first enabled model becomes active. Rejects with `bad_request` for unknown ids. */
  reorder(
    purpose: ModelPurpose,
    priorities: readonly NewPriority[],
  ): Promise<{ readonly updated: number; readonly active: string | null }>;
}

export interface ModelPrioritiesDeps {
  readonly pointers: Collection<ActivePointer>;
  readonly putTogether: RecordStore["putTogether"];
  readonly events: LiveEvents;
  readonly get: (id: string) => Promise<StoredModel>;
  readonly listStored: () => Promise<readonly StoredModel[]>;
  readonly withChanges: (model: StoredModel, change: Partial<StoredModel>) => StoredModel;
  /** Runs changes one after another. */
  readonly runExclusive: <Result>(run: () => Promise<Result>) => Promise<Result>;
}

export function createModelPriorities(deps: ModelPrioritiesDeps): ModelPriorities {
  const { pointers, events, get, listStored, withChanges, runExclusive } = deps;
  /** Stores the order and the active model in one transaction, so that they always match. */
  const storeTogether = (renumberedModels: readonly StoredModel[], pointer: ActivePointer | undefined) =>
    deps.putTogether([
      ...renumberedModels.map((item) => ({ kind: MODELS, item })),
      ...(pointer ? [{ kind: ACTIVE_MODELS, item: pointer }] : []),
    ]);
  return {
    apply: (id, purpose) =>
      runExclusive(async () => {
        const model = await get(id);
        if (purpose !== undefined && purpose !== model.purpose) {
          throw modelsTexts.error("bad_request", "of_purpose", { purpose: model.purpose }, { field: "purpose" });
        }
        if (!model.enabled) throw modelsTexts.error("conflict", "off");
        const previous = (await pointers.get(model.purpose))?.model_id ?? null;
        const others = (await listStored()).filter((one) => one.purpose === model.purpose && one.id !== id);
        const placed = [model, ...others].flatMap((one, priority) =>
          one.priority === priority ? [] : [withChanges(one, { priority })],
        );
        await storeTogether(placed, { id: model.purpose, model_id: id });
        events.publish(resourceChanged("model", id, "updated", (await get(id)).revision));
        return { model_id: id, purpose: model.purpose, previous_model_id: previous };
      }),
    reorder: (purpose, priorities) =>
      runExclusive(async () => {
        const queue = (await listStored()).filter((model) => model.purpose === purpose);
        const unknownEntry = priorities.find(({ id }) => !queue.some((model) => model.id === id));
        if (unknownEntry)
          throw modelsTexts.error(
            "bad_request",
            "not_of_purpose",
            { id: unknownEntry.id, purpose },
            { field: "priorities" },
          );
        const places = new Map(renumber(queue, priorities, MAX_PRIORITY).map(({ id, priority }) => [id, priority]));
        const movedModels = queue.filter((model) => places.get(model.id) !== model.priority);
        const placed = movedModels.map((model) =>
          withChanges(model, { priority: places.get(model.id) ?? model.priority }),
        );
        const after = queue.map((model) => placed.find(({ id }) => id === model.id) ?? model).sort(compareByPriority);
        const first = after.find(({ enabled }) => enabled);
        await storeTogether(placed, first && { id: purpose, model_id: first.id });
        events.publish(resourceChanged("model", purpose, "reordered"));
        return { updated: movedModels.length, active: first?.id ?? null };
      }),
  };
}

/** Compares by purpose, then priority. */
export function compareByPriority(a: StoredModel, b: StoredModel): number {
  if (a.purpose !== b.purpose) return a.purpose < b.purpose ? -1 : 1;
  if (a.priority !== b.priority) return a.priority - b.priority;
  const [one, other] = [`${a.created_at} ${a.id}`, `${b.created_at} ${b.id}`];
  return one < other ? -1 : 1;
}
