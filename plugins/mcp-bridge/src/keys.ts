import { serviceKey } from "@parley/core";
import type { Revocations } from "./client/oauth/revocations.ts";
import type { SignIns } from "./client/oauth/sign-ins.ts";
import type { Servers } from "./client/servers/servers.ts";
import type { Confirmations } from "./guard/confirmations/confirmations.ts";
import type { ToolAudit } from "./guard/tool-audit.ts";
import type { ToolPolicy } from "./guard/tool-policy.ts";
import type { InstallationId } from "./installation-id.ts";
import type { McpSettings } from "./settings.ts";
import type { PendingCalls } from "./web-agent/pending-calls.ts";

/** Service keys shared by the parts of this plugin. */
export const OwnSettings = serviceKey<McpSettings>("mcp-bridge.settings");
export const Policy = serviceKey<ToolPolicy>("mcp-bridge.policy");
export const Audit = serviceKey<ToolAudit>("mcp-bridge.audit");
export const Questions = serviceKey<Confirmations>("mcp-bridge.confirmations");
export const Pending = serviceKey<PendingCalls>("mcp-bridge.pending-calls");
export const OwnServers = serviceKey<Servers>("mcp-bridge.servers");
export const OwnSignIns = serviceKey<SignIns>("mcp-bridge.sign-ins");
export const OwnRevocations = serviceKey<Revocations>("mcp-bridge.revocations");
export const OwnInstallationId = serviceKey<InstallationId>("mcp-bridge.installation-id");
