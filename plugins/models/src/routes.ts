import Joi from "@hapi/joi";
import { listQuery, MODEL_PURPOSES, type RouteTable, reply, route, toggleBody } from "@parley/core";
import {
  activeByPurpose,
  aiConfig,
  appliedModel,
  healthOfModels,
  modelQueue,
  modelsOfPurpose,
  modelsOfServer,
  ofAllPurposes,
  protocolList,
  purposeConfig,
  purposeList,
  reorderedModels,
  resetModels,
  toggledModel,
  triedConnection,
  triedModel,
} from "./answers.ts";
import type { Configuration } from "./configuration.ts";
import type { Failover } from "./failover.ts";
import type { ModelRecords } from "./model-records.ts";
import { models } from "./model-resource.ts";
import {
  aiConfigPatch,
  applyBody,
  cloneBody,
  connectionTest,
  reorderBody,
  resetBody,
  serverQuestion,
  setPurposeBody,
  statusQuery,
  tryBody,
} from "./schema.ts";

const purpose = Joi.valid(...MODEL_PURPOSES);
const base = "/api/ai-models";
const one = `${base}/{model_id}` as const;
const admin = { scope: "admin" } as const;

export function aiConfigRoutes(configuration: Configuration): RouteTable {
  return [
    route({
      method: "GET",
      path: "/api/ai-config",
      summary: "the AI configuration and the chat model in force",
      data: aiConfig,
      run: () => configuration.aiConfig(),
    }),
    route({
      method: "PUT",
      path: "/api/ai-config",
      summary: "change the AI configuration",
      data: aiConfig,
      ...admin,
      body: aiConfigPatch,
      run: async ({ body, ifMatch }) => reply(await configuration.updateAiConfig(body, ifMatch)),
    }),
    route({
      method: "POST",
      path: "/api/ai-config/test",
      summary: "try a connection, or the chat model in force",
      data: triedConnection,
      ...admin,
      body: connectionTest,
      timeoutMs: false,
      run: ({ body, caller, signal }) => configuration.testConnection(body, caller.username, signal),
    }),
    route({
      method: "GET",
      path: "/api/ai-config/by-purpose/{purpose}",
      params: { purpose },
      summary: "the model that serves a purpose",
      data: purposeConfig,
      run: ({ params }) => configuration.ofPurpose(params.purpose),
    }),
    route({
      method: "GET",
      path: "/api/ai-config/all-purposes",
      summary: "the model that serves each purpose",
      data: ofAllPurposes,
      run: () => configuration.ofAllPurposes(),
    }),
    route({
      method: "GET",
      path: `${base}/purposes`,
      summary: "what models are used for",
      data: purposeList,
      run: () => configuration.purposes(),
    }),
    route({
      method: "GET",
      path: `${base}/protocols`,
      summary: "the wire protocols that are loaded",
      data: protocolList,
      run: () => configuration.protocols(),
    }),
    route({
      method: "POST",
      path: `${base}/available`,
      summary: "which models a server has",
      data: modelsOfServer,
      ...admin,
      body: serverQuestion,
      timeoutMs: false,
      run: ({ body, signal }) => configuration.serverModels(body, signal),
    }),
    route({
      method: "GET",
      path: `${base}/by-purpose/{purpose}`,
      params: { purpose },
      summary: "the models of a purpose, by priority",
      data: modelsOfPurpose,
      query: listQuery(),
      run: ({ params, query }) => configuration.modelsOf(params.purpose, query),
    }),
    route({
      method: "GET",
      path: `${base}/active-by-purpose`,
      summary: "the active model of each purpose",
      data: activeByPurpose,
      run: () => configuration.activeByPurpose(),
    }),
  ];
}

/** What is done with models besides keeping them. */
export function modelRoutes(records: ModelRecords, configuration: Configuration): RouteTable {
  return [
    route({
      method: "POST",
      path: `${one}/apply`,
      summary: "make a model the active one of its purpose",
      data: appliedModel,
      ...admin,
      body: applyBody,
      run: ({ params, body }) => records.apply(params.model_id, body.purpose),
    }),
    route({
      method: "POST",
      path: `${one}/toggle`,
      summary: "switch a model on or off",
      data: toggledModel,
      ...admin,
      body: toggleBody,
      run: ({ params, body }) => records.toggle(params.model_id, body.enabled),
    }),
    route({
      method: "POST",
      path: `${one}/clone`,
      summary: "copy a model with its key",
      ...admin,
      body: cloneBody,
      data: models.item,
      run: ({ params, body }) => records.clone(params.model_id, body.name),
    }),
    route({
      method: "POST",
      path: `${one}/test`,
      summary: "call a model once",
      data: triedModel,
      ...admin,
      body: tryBody,
      timeoutMs: false,
      run: ({ params, body, caller, signal }) =>
        configuration.testModel(params.model_id, body, caller.username, signal),
    }),
    route({
      method: "POST",
      path: `${one}/set-purpose`,
      summary: "move a model to another purpose",
      ...admin,
      body: setPurposeBody,
      data: models.item,
      run: ({ params, body }) => records.setPurpose(params.model_id, body.purpose, body.reset_defaults),
    }),
  ];
}

export function failoverRoutes(failover: Failover): RouteTable {
  return [
    route({
      method: "GET",
      path: `${base}/failover-status`,
      summary: "how each model did lately",
      query: statusQuery,
      data: healthOfModels,
      run: ({ query }) => failover.status(query.purpose),
    }),
    route({
      method: "POST",
      path: `${base}/failover-reset`,
      summary: "forget the failures of a model, or of all, and what it refused",
      ...admin,
      body: resetBody,
      data: resetModels,
      run: ({ body }) => failover.reset(body.model_id, body.tool),
    }),
    route({
      method: "GET",
      path: `${base}/failover-queue/{purpose}`,
      params: { purpose },
      summary: "the models of a purpose in the order they are tried",
      data: modelQueue,
      run: ({ params }) => failover.queue(params.purpose),
    }),
    route({
      method: "POST",
      path: `${base}/failover-reorder`,
      summary: "give models of a purpose other places in its queue",
      ...admin,
      body: reorderBody,
      data: reorderedModels,
      run: ({ body }) => failover.reorder(body.purpose, body.priorities),
    }),
  ];
}
