import { findById, parley, type Shapes } from "../../shared/api/client.ts";
import { readWholeList } from "../../shared/api/list-pages.ts";

export type Model = Shapes["Model"];
export type Purpose = Shapes["Purpose"];
/** The model that answers conversations, with the reason for the choice. */
export type EffectiveModel = Shapes["EffectiveModel"];
/** Recent health and usage of a model. */
export type Health = Shapes["ModelHealth"];
/** The outcome of a connection test; a failure is a result, not an error. */
export type TestResult = Omit<Shapes["ConnectionTrial"], "model">;
/** The models a server lists; a failure is a result, not an error. */
export type ListedModels = Shapes["ServerModels"];

/** The settable fields of a model. */
export type ModelSettings = Omit<
  Model,
  "id" | "has_api_key" | "api_key_masked" | "is_active" | "created_at" | "updated_at" | "revision"
>;
type Patch = Partial<ModelSettings> & {
  readonly api_key?: string;
  /** Id of the model whose API key is used. */
  readonly api_key_from?: string;
};
type Draft = Patch & Pick<ModelSettings, "name" | "model">;
/** A server as in the form; `model_id` is that of the edited record. */
export type ServerConnection = Pick<Patch, "protocol" | "base_url" | "api_key" | "api_key_env"> & {
  readonly model_id?: string;
};
type Connection = Pick<Patch, "protocol" | "base_url" | "model" | "api_key" | "api_key_env" | "api_key_from">;

const MODELS_PATH = "/api/ai-models";
const MODEL_PATH = `${MODELS_PATH}/{model_id}` as const;

export const models = {
  list: () => readWholeList((page) => parley.get(MODELS_PATH, { query: page })),
  listProtocols: () => parley.get(`${MODELS_PATH}/protocols`),
  listPurposes: () => parley.get(`${MODELS_PATH}/purposes`),
  getEffective: () => parley.get("/api/ai-config"),
  create: (body: Draft) => parley.post(MODELS_PATH, { body }),
  get: async (id: string): Promise<Model> => findById(await models.list(), id),
  update: (model_id: string, body: Patch, ifMatch: number | undefined) =>
    parley.put(MODEL_PATH, { path: { model_id }, body, ifMatch }),
  remove: (model_id: string) => parley.delete(MODEL_PATH, { path: { model_id } }),
  apply: (model_id: string) => parley.post(`${MODEL_PATH}/apply`, { path: { model_id } }),
  toggle: (model_id: string) => parley.post(`${MODEL_PATH}/toggle`, { path: { model_id } }),
  clone: (model_id: string) => parley.post(`${MODEL_PATH}/clone`, { path: { model_id } }),
  test: (model_id: string) => parley.post(`${MODEL_PATH}/test`, { path: { model_id } }),
  ask: (model_id: string, prompt: string) =>
    parley.post(`${MODEL_PATH}/test`, { path: { model_id }, body: { prompt, timeout_s: 120 } }),
  getQueue: (purpose: Purpose["id"]) => parley.get(`${MODELS_PATH}/failover-queue/{purpose}`, { path: { purpose } }),
  reorder: (purpose: Purpose["id"], priorities: { id: string; priority: number }[]) =>
    parley.post(`${MODELS_PATH}/failover-reorder`, { body: { purpose, priorities } }),
  reset: (model_id: string) => parley.post(`${MODELS_PATH}/failover-reset`, { body: { model_id } }),
  getUsage: () => parley.get("/api/tokens", { query: { date_range: "30d" } }),
  listAvailable: (body: ServerConnection) => parley.post(`${MODELS_PATH}/available`, { body }),
  testConnection: (body: Connection) => parley.post("/api/ai-config/test", { body }),
};
