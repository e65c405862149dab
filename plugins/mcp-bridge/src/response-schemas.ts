import { usageShape } from "@parley/core";
import { answerFields, failureDetailShape, listData, shape } from "@parley/core/http";
import type { ConnectionTestResult } from "./client/connection/connection-test.ts";
import type { ServerInfo } from "./client/servers/entry.ts";
import type { ListedTool } from "./client/servers/server-view.ts";
import type { ManualCallResult } from "./client/tools/manual-calls.ts";
import type { OpenQuestion } from "./guard/confirmations/open-question.ts";
import type { PendingCall, UsedTool } from "./web-agent/web-agent.ts";

const { id, text, time, flag, count, number, texts, record, anything, word, orNull, listOf, mapOf, localized } =
  answerFields;
const transport = word("stdio", "streamable-http");
const risk = word("read", "action", "high");
const serverInfo = shape<ServerInfo>({ name: text, version: text, protocol_version: text }, "McpServerInfo");

export const connectionTestData = shape<ConnectionTestResult>(
  {
    ok: flag,
    elapsed_ms: number,
    protocol_version: orNull(text),
    server_info: orNull(serverInfo),
    tool_count: count,
    error: orNull(text),
    error_detail: orNull(failureDetailShape),
  },
  "McpTrial",
);
export const serverToolList = listData(
  shape<ListedTool>(
    {
      name: text,
      full_name: text,
      offered_as: orNull(text),
      description: text,
      parameters: record,
      enabled: flag,
      is_new: flag,
      risk,
      first_description: orNull(text),
    },
    "McpTool",
  ),
);
export const manualCallData = shape<ManualCallResult>({ tool: text, result: anything, duration_ms: number });

export const openQuestionList = listData(
  shape<OpenQuestion>({ id, session_id: id, tool: text, summary: text, expires_at: time }, "Confirmation"),
);
export const answeredQuestionData = shape({ request_id: id, approved: flag });

const offeredTool = shape(
  {
    name: text,
    description: text,
    help: orNull(localized),
    parameters: record,
    scope: text,
    switch: orNull(text),
    risk,
    needs_confirm: flag,
    deletes: flag,
    refused: orNull(word("switch", "scope")),
  },
  "OwnTool",
);
const offeredResource = shape(
  { uri: text, name: text, help: orNull(localized), mime_type: text, scope: text, refused: orNull(word("scope")) },
  "OwnResource",
);
const offeredPrompt = shape(
  {
    name: text,
    description: text,
    help: orNull(localized),
    arguments: listOf(shape({ name: text, description: text, help: orNull(localized), required: flag })),
  },
  "OwnPrompt",
);
export const serviceData = shape(
  {
    enabled: flag,
    transport,
    address: orNull(text),
    http_auth: word("required", "off_on_loopback"),
    allowed_hosts: texts,
    admin: flag,
    audit_enabled: flag,
    scopes: texts,
    switches: mapOf(flag),
    tools: listOf(offeredTool),
    resources: listOf(offeredResource),
    prompts: listOf(offeredPrompt),
    client: shape({
      stdio_enabled: flag,
      allowed_commands: texts,
      command_lines: listOf(shape({ name: text, words: texts }, "CommandLine")),
    }),
  },
  "McpService",
);

export const agentToolList = listData(
  shape(
    {
      name: text,
      description: text,
      permission: word("read", "write"),
      high_risk: flag,
      parameters: record,
    },
    "AgentTool",
  ),
);
export const agentChatData = shape({
  message: text,
  used_tools: listOf(shape<UsedTool>({ tool: text, arguments: anything, ok: flag })),
  pending: orNull(shape<PendingCall>({ tool: text, arguments: anything, confirm_id: id, expires_at: time })),
  usage: usageShape,
});
