import Joi from "@hapi/joi";
import { MODEL_PURPOSES, type RouteTable, reply, route } from "@parley/core";
import { listQuery, toggleBody } from "@parley/core/http";
import type { Failover } from "./failover/failover.ts";
import type { Configuration } from "./records/configuration.ts";
import type { ModelRecords } from "./records/model-records.ts";
import { models } from "./records/model-resource.ts";
import {
  aiConfigPatch,
  applyBody,
  cloneBody,
  connectionTest,
  reorderBody,
  resetBody,
  serverQuery,
  setPurposeBody,
  statusQuery,
  testBody,
} from "./records/schema.ts";
import {
  activeModelsData,
  aiConfig,
  allPurposesData,
  applyData,
  connectionTestData,
  failoverQueueData,
  failoverResetData,
  failoverStatusData,
  modelTestData,
  protocolList,
  purposeConfig,
  purposeList,
  purposeModelsData,
  reorderData,
  serverModelsData,
  toggleData,
} from "./responses.ts";

const purpose = Joi.valid(...MODEL_PURPOSES);
const modelsPath = "/api/ai-models";
const modelPath = `${modelsPath}/{model_id}` as const;
const ADMIN_OPTIONS = { scope: "admin" } as const;

export function createAiConfigRoutes(configuration: Configuration): RouteTable {
  return [
    route({
      method: "GET",
      path: "/api/ai-config",
      summary: "get the AI configuration and the effective chat model",
      data: aiConfig,
      run: () => configuration.aiConfig(),
    }),
    route({
      method: "PUT",
      path: "/api/ai-config",
      summary: "change the AI configuration",
      data: aiConfig,
      ...ADMIN_OPTIONS,
      body: aiConfigPatch,
      run: async ({ body, ifMatch }) => reply(await configuration.updateAiConfig(body, ifMatch)),
    }),
    route({
      method: "POST",
      path: "/api/ai-config/test",
      summary: "test a connection, or the effective chat model",
      data: connectionTestData,
      ...ADMIN_OPTIONS,
      body: connectionTest,
      timeoutMs: false,
      run: ({ body, caller, signal }) => configuration.testConnection(body, caller.username, signal),
    }),
    route({
      method: "GET",
      path: "/api/ai-config/by-purpose/{purpose}",
      params: { purpose },
      summary: "get the model that serves a purpose",
      data: purposeConfig,
      run: ({ params }) => configuration.getByPurpose(params.purpose),
    }),
    route({
      method: "GET",
      path: "/api/ai-config/all-purposes",
      summary: "get the model that serves each purpose",
      data: allPurposesData,
      run: () => configuration.listByPurpose(),
    }),
    route({
      method: "GET",
      path: `${modelsPath}/purposes`,
      summary: "list the purposes of models",
      data: purposeList,
      run: () => configuration.purposes(),
    }),
    route({
      method: "GET",
      path: `${modelsPath}/protocols`,
      summary: "list the loaded wire protocols",
      data: protocolList,
      run: () => configuration.protocols(),
    }),
    route({
      method: "POST",
      path: `${modelsPath}/available`,
      summary: "list the models of a server",
      data: serverModelsData,
      ...ADMIN_OPTIONS,
      body: serverQuery,
      timeoutMs: false,
      run: ({ body, signal }) => configuration.listServerModels(body, signal),
    }),
    route({
      method: "GET",
      path: `${modelsPath}/by-purpose/{purpose}`,
      params: { purpose },
      summary: "list the models of a purpose, by priority",
      data: purposeModelsData,
      query: listQuery(),
      run: ({ params, query }) => configuration.listModels(params.purpose, query),
    }),
    route({
      method: "GET",
      path: `${modelsPath}/active-by-purpose`,
      summary: "get the active model of each purpose",
      data: activeModelsData,
      run: () => configuration.listActive(),
    }),
  ];
}

/** Creates the routes of models besides CRUD. */
export function createModelRoutes(records: ModelRecords, configuration: Configuration): RouteTable {
  return [
    route({
      method: "POST",
      path: `${modelPath}/apply`,
      summary: "make a model the active one of its purpose",
      data: applyData,
      ...ADMIN_OPTIONS,
      body: applyBody,
      run: ({ params, body }) => records.apply(params.model_id, body.purpose),
    }),
    route({
      method: "POST",
      path: `${modelPath}/toggle`,
      summary: "switch a model on or off",
      data: toggleData,
      ...ADMIN_OPTIONS,
      body: toggleBody,
      run: ({ params, body }) => records.toggle(params.model_id, body.enabled),
    }),
    route({
      method: "POST",
      path: `${modelPath}/clone`,
      summary: "copy a model with its key",
      ...ADMIN_OPTIONS,
      body: cloneBody,
      data: models.item,
      run: ({ params, body }) => records.clone(params.model_id, body.name),
    }),
    route({
      method: "POST",
      path: `${modelPath}/test`,
      summary: "test a model with one call",
      data: modelTestData,
      ...ADMIN_OPTIONS,
      body: testBody,
      timeoutMs: false,
      run: ({ params, body, caller, signal }) =>
        configuration.testModel(params.model_id, body, caller.username, signal),
    }),
    route({
      method: "POST",
      path: `${modelPath}/set-purpose`,
      summary: "move a model to another purpose",
      ...ADMIN_OPTIONS,
      body: setPurposeBody,
      data: models.item,
      run: ({ params, body }) => records.setPurpose(params.model_id, body.purpose, body.reset_defaults),
    }),
  ];
}

export function createFailoverRoutes(failover: Failover): RouteTable {
  return [
    route({
      method: "GET",
      path: `${modelsPath}/failover-status`,
      summary: "get the health of each model",
      query: statusQuery,
      data: failoverStatusData,
      run: ({ query }) => failover.status(query.purpose),
    }),
    route({
      method: "POST",
      path: `${modelsPath}/failover-reset`,
      summary: "forget failures and rejections of one model or of all",
      ...ADMIN_OPTIONS,
      body: resetBody,
      data: failoverResetData,
      run: ({ body }) => failover.reset(body.model_id, body.tool),
    }),
    route({
      method: "GET",
      path: `${modelsPath}/failover-queue/{purpose}`,
      params: { purpose },
      summary: "list the models of a purpose in the order in which they are tried",
      data: failoverQueueData,
      run: ({ params }) => failover.listQueue(params.purpose),
    }),
    route({
      method: "POST",
      path: `${modelsPath}/failover-reorder`,
      summary: "reorder the models of a purpose",
      ...ADMIN_OPTIONS,
      body: reorderBody,
      data: reorderData,
      run: ({ body }) => failover.reorder(body.purpose, body.priorities),
    }),
  ];
}
