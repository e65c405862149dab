import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  CallToolRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  SetLevelRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import {
  AppError,
  type McpPrompt,
  newTraceId,
  type ToolCaller,
  type ToolContext,
  type ToolEntrance,
  type ToolGuard,
  type ToolScope,
} from "@parley/core";
import type { ToolPolicy } from "../guard/tool-policy.ts";
import { INSTALLATION_META_KEY, TURN_META_KEY } from "../meta-keys.ts";
import { mcpBridgeTexts } from "../texts.ts";
import { describeTool } from "./describe-tool.ts";
import { toPromptList } from "./factories.ts";
import { getPrompt } from "./prompts.ts";
import type { Resources } from "./resources.ts";
import { toErrorResult, toToolResult } from "./tool-result.ts";

const MAX_CONCURRENT_CALLS = 8;
const INSTRUCTIONS =
  "Tools of a chat-bot service. Tools named gateway_… look at and steer the delivery of messages, tools named web_… the conversations. " +
  "Tools that change something need confirm: true, given by a person.";

type CallTurn = Pick<ToolContext, "sessionId" | "callerId" | "isAdmin" | "traceId" | "inbound" | "isOperatorOnly">;

export interface McpServerDeps {
  readonly guard: ToolGuard;
  readonly policy: ToolPolicy;
  readonly resources: Resources;
  readonly prompts: () => readonly McpPrompt[];
  /** Version of the service. */
  readonly version: string;
  /** Returns the id of this installation. */
  readonly getInstallationId: () => Promise<string>;
}

/** The other end of a session. */
export interface McpPeer {
  /** Id of the credential, or `stdio`. */
  readonly id: string;
  readonly transport: ToolEntrance["transport"];
  readonly session?: string;
  /** False for our own models, which confirm nothing. */
  readonly confirms: boolean;
  /** Returns the tool scopes currently granted to the client; undefined: all configured ones. */
  readonly granted?: () => readonly ToolScope[] | undefined;
}

/** The server of one session; never shared, so that no answer can reach another client. */
export interface McpSession {
  readonly server: Server;
  /** Resolves when no call runs. */
  whenIdle(): Promise<void>;
}

/** Creates the server of a session; `getDeps` returns the current dependencies, which a reload replaces. */
export function createMcpServer(getDeps: () => McpServerDeps, peer: McpPeer): McpSession {
  const server = new Server(
    { name: "svc-gateway", title: "Parley", version: getDeps().version },
    {
      capabilities: { tools: {}, resources: {}, prompts: {}, logging: {} },
      instructions: INSTRUCTIONS,
    },
  );
  let running = 0;
  /** True while the client wants messages of level info. */
  let wantsInfo = true;
  const waiting: (() => void)[] = [];

  const getCaller = (): ToolCaller => {
    const client = server.getClientVersion();
    const via = {
      transport: peer.transport,
      ...(peer.session && { session: peer.session }),
      ...(client && { client: `${client.name} ${client.version}` }),
    };
    const granted = peer.granted?.();
    return {
      ...{ audience: "mcp", id: peer.session ?? peer.id, confirms: peer.confirms, via },
      ...(granted && { granted }),
    };
  };
  const withConcurrencyLimit = async <Result>(run: () => Promise<Result>): Promise<Result> => {
    if (running >= MAX_CONCURRENT_CALLS) {
      throw mcpBridgeTexts.error("rate_limited", "many_calls", { most: MAX_CONCURRENT_CALLS }, { retryAfterS: 1 });
    }
    running += 1;
    try {
      return await run();
    } finally {
      running -= 1;
      if (running === 0) for (const resolve of waiting.splice(0)) resolve();
    }
  };

  server.setRequestHandler(SetLevelRequestSchema, ({ params }) => {
    wantsInfo = params.level === "debug" || params.level === "info";
    return {};
  });
  server.setRequestHandler(ListToolsRequestSchema, async () => {
    const { guard, policy, getInstallationId } = getDeps();
    return {
      tools: guard.list("mcp").map((tool) => describeTool(tool, policy)),
      _meta: { [INSTALLATION_META_KEY]: await getInstallationId() },
    };
  });
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const { name, arguments: args = {}, _meta: meta } = params;
    const { guard } = getDeps();
    if (!guard.list("mcp").some((tool) => tool.name === name)) {
      throw new McpError(ErrorCode.InvalidParams, `tool '${name}' does not exist`);
    }
    const turn = peer.transport === "in-process" ? toCallTurn(meta?.[TURN_META_KEY]) : undefined;
    const traceId = turn?.traceId ?? newTraceId();
    let step = 0;
    const context: ToolContext = {
      signal: extra.signal,
      callerId: peer.id,
      ...turn,
      traceId,
      progress(message) {
        step += 1;
        if (meta?.progressToken === undefined && !wantsInfo) return;
        const progressReporter =
          meta?.progressToken === undefined
            ? ({ method: "notifications/message", params: { level: "info", logger: name, data: message } } as const)
            : ({
                method: "notifications/progress",
                params: { progressToken: meta.progressToken, progress: step, message },
              } as const);
        // If the client has left, that is noticed when the response is sent.
        extra.sendNotification(progressReporter).catch((error: unknown) => server.onerror?.(toError(error)));
      },
    };
    try {
      // A model acting for people without administrator rights gets no more rights than they have.
      const caller = { ...getCaller(), ...(turn && { id: traceId }), ...(turn?.isAdmin === false && { scopes: [] }) };
      return toToolResult(await withConcurrencyLimit(() => guard.call(name, args, caller, context)), traceId);
    } catch (error) {
      return toErrorResult(error, traceId);
    }
  });

  server.setRequestHandler(ListResourcesRequestSchema, () => ({
    resources: getDeps()
      .resources.list()
      .map(({ uri, name, mimeType }) => ({ uri, name, mimeType })),
  }));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: [] }));
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params }, { signal }) => {
    const context = { signal, traceId: newTraceId(), callerId: peer.id, progress: () => {} };
    const read = await withConcurrencyLimit(() => getDeps().resources.read(params.uri, getCaller(), context)).catch(
      throwProtocolError,
    );
    return { contents: [{ uri: params.uri, ...read }] };
  });
  server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: toPromptList(getDeps().prompts()) }));
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) =>
    getPrompt(getDeps().prompts(), params.name, params.arguments ?? {}),
  );
  return {
    server,
    whenIdle: () => (running === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  };
}

/** Parses the calling turn; sent only within this process, so its form is trusted. */
function toCallTurn(value: unknown): CallTurn | undefined {
  return value === undefined ? undefined : (value as CallTurn);
}

function throwProtocolError(error: unknown): never {
  if (!AppError.is(error)) throw new McpError(ErrorCode.InternalError, "internal error");
  // The protocol's code for an unknown resource.
  throw new McpError(error.code === "not_found" ? -32002 : ErrorCode.InvalidParams, `${error.code}: ${error.message}`);
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
