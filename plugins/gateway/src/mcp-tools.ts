import Joi from "@hapi/joi";
import { AppError, commaList, reportProblem, TASK_KINDS, type Tool, tool } from "@parley/core";
import type { InjectedEvent } from "./accept/event-injection.ts";
import {
  type NewNode,
  NODE_STATES,
  NODE_TYPES,
  type NodeRegistry,
  type NodeState,
  type NodeType,
} from "./cluster/node-registry.ts";
import type { DeadLetters } from "./deliver/dead-letters.ts";
import type { SendTextArguments, StartTaskArguments } from "./mcp-actions.ts";
import type { DeliveryQuery, EventQuery, History, LogQuery } from "./observe/history.ts";
import type { Reports } from "./observe/reports.ts";
import { gatewayTexts } from "./texts.ts";

export interface GatewayToolsDeps {
  readonly reports: Reports;
  readonly history: History;
  readonly nodes: NodeRegistry;
  readonly deadLetters: DeadLetters;
  readonly status: () => Promise<object>;
  readonly submit: (event: InjectedEvent) => Promise<object>;
  readonly send: (text: SendTextArguments) => Promise<object>;
  readonly startTask: (order: StartTaskArguments) => Promise<object>;
}

const id = Joi.string().trim().min(1).max(128);
const channelId = Joi.string().trim().min(1).max(64);
const timestamp = Joi.string().isoDate();
const offset = Joi.number().integer().min(0).default(0);
const limit = (most: number, usual: number) => Joi.number().integer().min(1).max(most).default(usual);
const objectUpTo = (bytes: number) =>
  Joi.object()
    .unknown()
    .custom((value: object, helpers) =>
      Buffer.byteLength(JSON.stringify(value)) > bytes
        ? reportProblem(gatewayTexts.error("bad_request", "large_value", { most: bytes / 1024 }), helpers)
        : value,
    );
const metadata = objectUpTo(4 * 1024).default({});

const READ_TOOL = { risk: "read", audience: ["mcp"] } as const;
const ACTION_TOOL = { risk: "high", audience: ["mcp"] } as const;
const noArguments = Joi.object<object>({});

/** Creates the read-only tools for MCP clients. */
export function createGatewayReadTools(deps: GatewayToolsDeps): readonly Tool[] {
  return [...createReportTools(deps), ...createTraceTools(deps), ...createLogTools(deps), ...createNodeTools(deps)];
}

function createReportTools({ reports, status }: GatewayToolsDeps): readonly Tool[] {
  return [
    tool({
      ...READ_TOOL,
      name: "gateway_get_status",
      help: {
        en: "State of the gateway: storage, processing, channels and what is waiting.",
        zh: "网关状态：存储、处理、渠道和等待的内容。",
      },
      purpose: "Returns the status of the gateway: storage, worker, channels and waiting messages.",
      scope: "gateway.read",
      args: noArguments,
      run: () => status(),
    }),
    tool({
      ...READ_TOOL,
      name: "gateway_get_stats",
      help: { en: "Counts of events, deliveries, duplicates and queues.", zh: "事件、投递、重复消息和队列的数量。" },
      purpose: "Returns the numbers of events, deliveries, recognized duplicates and queue items.",
      scope: "gateway.read",
      args: noArguments,
      run: () => reports.stats(),
    }),
    tool({
      ...READ_TOOL,
      name: "gateway_get_queue_stats",
      help: {
        en: "Counts of waiting, running and finished messages and of dead letters.",
        zh: "等待、处理中、已完成的消息和死信的数量。",
      },
      purpose: "Returns how many messages are waiting, running, done or dead-lettered.",
      scope: "queue.read",
      args: noArguments,
      run: () => reports.queue(),
    }),
  ];
}

function createTraceTools({ history }: GatewayToolsDeps): readonly Tool[] {
  return [
    tool<{ trace_id: string }>({
      ...READ_TOOL,
      name: "gateway_query_trace",
      help: {
        en: "Everything about one message in order: events, deliveries, queue and tool calls.",
        zh: "一条消息的全部记录：事件、投递、队列和工具调用，按顺序排列。",
      },
      purpose:
        "Returns everything recorded about one message: events, deliveries, queue items and tool calls, in order.",
      scope: "events.query",
      args: Joi.object({ trace_id: id.required() }),
      run: async ({ trace_id }) => history.trace(trace_id),
    }),
    tool<EventQuery>({
      ...READ_TOOL,
      name: "gateway_query_events",
      help: {
        en: "Finds message events by channel, state, type, trace or time, newest first.",
        zh: "按渠道、状态、类型、追踪或时间查询消息事件，最新的在前。",
      },
      purpose: "Lists events of messages by channel, status, type, trace or time, newest first.",
      scope: "events.query",
      args: Joi.object({
        channel_id: channelId,
        status: Joi.string().max(64),
        event_type: Joi.string().max(64),
        trace_id: id,
        since: timestamp,
        until: timestamp,
        limit: limit(200, 50),
        offset,
      }),
      run: async (query) => toToolPage(await history.events(query), query),
    }),
  ];
}

function createLogTools({ history }: GatewayToolsDeps): readonly Tool[] {
  return [
    tool<DeliveryQuery>({
      ...READ_TOOL,
      name: "gateway_query_deliveries",
      help: {
        en: "Finds sent and waiting deliveries by trace, channel or state, newest first.",
        zh: "按追踪、渠道或状态查询已发送和待发送的内容，最新的在前。",
      },
      purpose: "Lists sent and pending deliveries by trace, channel or state, newest first.",
      scope: "events.query",
      args: Joi.object({
        trace_id: id,
        channel_id: channelId,
        status: Joi.string().max(64),
        limit: limit(100, 20),
        offset,
      }),
      run: async (query) => toToolPage(await history.deliveries(query), query),
    }),
    tool<LogQuery>({
      ...READ_TOOL,
      name: "gateway_query_logs",
      help: {
        en: "Gateway events and tool calls in one list, newest first.",
        zh: "统一日志：网关事件和工具调用，最新的在前。",
      },
      purpose: "Lists entries of the unified log: gateway events and tool calls, newest first.",
      scope: "events.query",
      args: Joi.object({
        trace_id: id,
        source: Joi.string().valid("gateway", "mcp", "web"),
        type: Joi.string().max(64),
        level: Joi.string().valid("debug", "info", "warning", "error"),
        status: Joi.string().max(64),
        tool_name: Joi.string().max(64),
        channel_id: channelId,
        since: timestamp,
        until: timestamp,
        limit: limit(500, 100),
        offset,
      }),
      run: async (query) => ({
        ...toToolPage(await history.logs(query), query),
        limit: query.limit,
        offset: query.offset,
      }),
    }),
    tool<{ id: string }>({
      ...READ_TOOL,
      name: "gateway_lookup_id",
      help: {
        en: "Tells what an ID is (trace, delivery, session …) and which tool to use next.",
        zh: "说明一个 ID 是什么（追踪、投递、会话等），以及接下来该用哪个工具。",
      },
      purpose: "Identifies an id (trace, delivery, session, …) and names the tool to call next.",
      scope: "events.query",
      args: Joi.object({ id: id.required() }),
      run: async (asked) => history.lookup(asked.id),
    }),
  ];
}

function createNodeTools({ nodes }: GatewayToolsDeps): readonly Tool[] {
  return [
    tool<{ node_type?: NodeType; status?: NodeState }>({
      ...READ_TOOL,
      name: "gateway_list_nodes",
      help: {
        en: "Lists nodes: this service and those that registered themselves.",
        zh: "列出节点：本服务以及自行注册的节点。",
      },
      purpose: "Lists the nodes: this service and the registered ones.",
      scope: "node.read",
      args: Joi.object({
        node_type: Joi.string().valid(...NODE_TYPES),
        status: Joi.string().valid(...NODE_STATES),
      }),
      async run(query) {
        const { items, total } = await nodes.list(query);
        return { nodes: items, count: items.length, total, truncated: false };
      },
    }),
    tool<{ node_id: string }>({
      ...READ_TOOL,
      name: "gateway_get_node",
      help: { en: "Shows one node.", zh: "查看一个节点。" },
      purpose: "Returns one node.",
      scope: "node.read",
      args: Joi.object({ node_id: id.required() }),
      run: async ({ node_id }) => ({ node: await nodes.get(node_id) }),
    }),
  ];
}

/** Creates the tools that change something. A person confirms every call. */
export function createGatewayActionTools(deps: GatewayToolsDeps): readonly Tool[] {
  return [...createMessageTools(deps), createStartTaskTool(deps), createRetryTool(deps), createRegisterTool(deps)];
}

function createMessageTools({ submit, send }: GatewayToolsDeps): readonly Tool[] {
  return [
    tool<InjectedEvent>({
      ...ACTION_TOOL,
      name: "gateway_receive_message",
      help: {
        en: "Submits a message to a channel as if it came from its platform, and answers it.",
        zh: "像平台发来的一样把消息交给渠道，并照常回答。",
      },
      purpose: "Passes a message to a channel as if its platform had sent it. It is answered like any other.",
      scope: "events.publish",
      args: Joi.object({
        channel_id: channelId.required(),
        raw_event: objectUpTo(64 * 1024)
          .min(1)
          .required(),
        headers: Joi.object().pattern(Joi.string().max(100), Joi.string().allow("").max(2000)).max(32).default({}),
        remote_addr: Joi.string().max(45).default("127.0.0.1"),
      }),
      run: (event, { sessionId }) => {
        rejectTurn(sessionId);
        return submit(event);
      },
    }),
    tool<SendTextArguments & { metadata: object }>({
      ...ACTION_TOOL,
      name: "gateway_send_message",
      help: { en: "Sends text to a conversation of a channel.", zh: "向渠道的会话发送文本。" },
      purpose: "Sends a text to a conversation of a channel.",
      scope: "channels.send",
      enabledBy: "send_message_enabled",
      args: Joi.object({
        channel_id: channelId.required(),
        conversation_id: id.required(),
        content: Joi.string().trim().min(1).max(8000).required(),
        metadata,
      }),
      run: (text) => send(text),
    }),
  ];
}

function createStartTaskTool({ startTask }: GatewayToolsDeps): Tool {
  return tool<StartTaskArguments>({
    ...ACTION_TOOL,
    name: "gateway_submit_internal_task",
    help: { en: "Runs an existing task, workflow or the heartbeat now.", zh: "立即运行已有的任务、工作流或心跳。" },
    purpose: "Runs a recorded task, workflow or heartbeat now.",
    scope: "worker.manage",
    enabledBy: "submit_task_enabled",
    args: Joi.object({
      task_kind: Joi.string()
        .valid(...TASK_KINDS)
        .required(),
      task_id: id.required(),
      trigger_source: Joi.string().trim().min(1).max(32).default("mcp"),
      metadata,
    }),
    run: (order, { sessionId }) => {
      rejectTurn(sessionId);
      return startTask(order);
    },
  });
}

function createRetryTool({ deadLetters }: GatewayToolsDeps): Tool {
  return tool<{ item_id: string }>({
    ...ACTION_TOOL,
    name: "gateway_retry_dead_letter",
    help: { en: "Retries a dead letter: a delivery or a message.", zh: "重试死信：投递或消息。" },
    purpose: "Retries a dead-lettered delivery or message.",
    scope: "queue.manage",
    confirmUnless: "retry_require_confirmation",
    args: Joi.object({ item_id: id.required() }),
    run: ({ item_id }, { isConfirmed = false, callerId }) => deadLetters.retry(item_id, isConfirmed, callerId),
  });
}

function createRegisterTool({ nodes }: GatewayToolsDeps): Tool {
  return tool<NewNode>({
    ...ACTION_TOOL,
    name: "gateway_register_node",
    help: { en: "Registers a node, or reports that it is still running.", zh: "注册节点，或报告其仍在运行。" },
    purpose: "Registers a node, or renews its registration.",
    scope: "node.register",
    enabledBy: "register_node_enabled",
    args: Joi.object({
      node_id: id.pattern(/^[A-Za-z0-9._:-]+$/).required(),
      node_type: Joi.string()
        .valid(...NODE_TYPES)
        .default("worker"),
      version: Joi.string().allow("").max(32).default(""),
      address: Joi.string().allow("").max(256).default(""),
      capabilities: commaList(Joi.string().max(64), 32).default([]),
      metadata,
    }),
    run: (draft, { callerId }) => nodes.register(draft, callerId),
  });
}

/** Throws when the tool is called within a turn, because a turn that starts turns might never end. */
function rejectTurn(sessionId: string | undefined): void {
  if (sessionId !== undefined) throw new AppError("conflict", "a turn cannot start another one");
}

function toToolPage<Item>(
  { items, total }: { readonly items: readonly Item[]; readonly total: number },
  page: { readonly offset: number },
) {
  return { items, count: items.length, total, truncated: page.offset + items.length < total };
}
