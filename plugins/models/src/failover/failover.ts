import { MODEL_PURPOSES, type ModelPurpose, notFound } from "@parley/core";
import { type List, toPage } from "@parley/core/http";
import { type Catalog, fromStored } from "../records/catalog.ts";
import type { ModelRecords } from "../records/model-records.ts";
import type { StoredModel } from "../records/schema.ts";
import { modelsTexts } from "../texts.ts";
import type { HealthView, ModelQueue, RejectedTool } from "./model-queue.ts";
import type { NewPriority } from "./renumber.ts";
import type { TokensUsed } from "./token-budget.ts";

const ALL = { limit: 500, offset: 0 };

export interface QueuedModel {
  readonly model_id: string;
  readonly name: string;
  readonly model: string;
  readonly provider: string;
  readonly priority: number;
  readonly enabled: boolean;
  readonly is_active: boolean;
  readonly health: HealthView;
  readonly token_limit_daily: number;
  readonly token_limit_weekly: number;
  readonly failover_timeout_s: number;
  readonly token_usage: TokensUsed;
}

export type QueueOfPurpose = List<QueuedModel> & { readonly purpose: ModelPurpose };

export interface FailoverStatus {
  readonly health: Readonly<Record<string, HealthView>>;
  readonly refused_tools: readonly RejectedTool[];
}

/** The failover order and state of models. */
export interface Failover {
  status(purpose?: string): Promise<FailoverStatus>;
  /** Forgets failures and rejections of one model, or of all; with `tool` only the rejections of that tool. */
  reset(modelId?: string, tool?: string): Promise<{ readonly reset: number }>;
  /** Returns the models in the order in which they are tried; disabled ones come last. */
  listQueue(purpose: string): Promise<QueueOfPurpose>;
  reorder(
    purpose: ModelPurpose,
    priorities: readonly NewPriority[],
  ): Promise<{ readonly updated: number; readonly active_model_id: string | null; readonly queue: QueueOfPurpose }>;
}

export interface FailoverDeps {
  readonly records: ModelRecords;
  readonly catalog: Pick<Catalog, "findConfigured">;
  readonly modelQueue: ModelQueue;
}

export function createFailover({ records, catalog, modelQueue }: FailoverDeps): Failover {
  const toConfigured = (model: StoredModel) => fromStored(model, "first_enabled");
  const getHealthView = (model: StoredModel) => modelQueue.view(toConfigured(model));
  /** Returns these models as configured, and the AI configuration if it answers conversations. */
  const findConfigured = async (models: readonly StoredModel[]) => {
    const first = await catalog.findConfigured("chat");
    return [...models.map(toConfigured), ...(first?.modelId === "" ? [first] : [])];
  };

  const listQueue = async (purposeName: string): Promise<QueueOfPurpose> => {
    const purpose = parsePurpose(purposeName);
    const first = (await catalog.findConfigured(purpose))?.modelId;
    const active = await records.activeId(purpose);
    const models = (await records.listStored()).filter((model) => model.purpose === purpose);
    const rank = ({ id, enabled }: StoredModel) => (id === first ? 0 : enabled ? 1 : 2);
    // The sort is stable, so models of the same rank stay ordered by priority.
    const ordered = models.toSorted((a, b) => rank(a) - rank(b));
    const items = await Promise.all(
      ordered.map(async (model): Promise<QueuedModel> => {
        const health = await getHealthView(model);
        const { id: model_id, name, model: provider_name, provider, priority, enabled } = model;
        const { token_limit_daily, token_limit_weekly, failover_timeout_s } = model;
        return {
          model_id,
          name,
          model: provider_name,
          provider,
          priority,
          enabled,
          is_active: model_id === active,
          health,
          token_limit_daily,
          token_limit_weekly,
          failover_timeout_s,
          token_usage: health.token_usage,
        };
      }),
    );
    return { ...toPage(items, ALL), purpose };
  };

  return {
    async status(purpose) {
      const wanted = purpose === undefined ? undefined : parsePurpose(purpose);
      const models = (await records.listStored()).filter((model) => wanted === undefined || model.purpose === wanted);
      const health = await Promise.all(models.map(async (model) => [model.id, await getHealthView(model)] as const));
      const refused_tools = (await findConfigured(models)).flatMap(modelQueue.listRejectedTools);
      return { health: Object.fromEntries(health), refused_tools };
    },
    async reset(modelId, tool) {
      const models = await records.listStored();
      if (modelId !== undefined && !models.some(({ id }) => id === modelId)) throw notFound("model", modelId);
      const wanted = models.filter(({ id }) => modelId === undefined || id === modelId);
      const all = modelId === undefined ? await findConfigured(wanted) : wanted.map(toConfigured);
      return { reset: all.filter((model) => modelQueue.reset(model, tool)).length };
    },
    listQueue,
    async reorder(purpose, priorities) {
      const { updated, active } = await records.reorder(purpose, priorities);
      return { updated, active_model_id: active, queue: await listQueue(purpose) };
    },
  };
}

export function parsePurpose(purpose: string): ModelPurpose {
  const known = MODEL_PURPOSES.find((one) => one === purpose);
  if (!known) throw modelsTexts.error("bad_request", "unknown", { id: purpose }, { field: "purpose" });
  return known;
}
