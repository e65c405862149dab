import { isAbsolute, join } from "node:path";
import {
  ChatCommands,
  Clock,
  ConfigSections,
  type Database,
  Databases,
  definePlugin,
  Gateway,
  HostControl,
  LiveEvents,
  type Logger,
  Paths,
  ProtocolStreams,
  Redaction,
  type Resolver,
  Sessions,
  type StartContext,
  serviceKey,
  ToolAudit,
  ToolConfirmations,
  ToolGuard,
  Tools,
  ToolTables,
} from "@parley/core";
import { AUDIT_MIGRATIONS } from "./guard/audit-tables.ts";
import { createCallLimits } from "./guard/call-limits.ts";
import { confirmCommand, denyCommand } from "./guard/confirm-commands.ts";
import { type Confirmations, createConfirmations } from "./guard/confirmations.ts";
import { createToolAudit, type ToolAuditLog } from "./guard/tool-audit.ts";
import { createToolGuard } from "./guard/tool-guard.ts";
import { createToolPolicy, type ToolPolicy } from "./guard/tool-policy.ts";
import { createMcpServer, type McpPeer } from "./server/mcp-server.ts";
import { openHttpServer } from "./server/open-server.ts";
import { createResources, type Resources } from "./server/resources.ts";
import { serveStdio } from "./server/stdio-server.ts";
import { type McpSettings, readSettings } from "./settings.ts";

const DAY_MS = 86_400_000;

const Settings = serviceKey<McpSettings>("mcp-bridge.settings");
const Policy = serviceKey<ToolPolicy>("mcp-bridge.policy");
const Audit = serviceKey<ToolAuditLog>("mcp-bridge.audit");
const ServerResources = serviceKey<Resources>("mcp-bridge.resources");
const Questions = serviceKey<Confirmations>("mcp-bridge.confirmations");

/** Tools for models and clients, and for our models the tools of other servers: one guard before all of them. */
export default definePlugin({
  id: "mcp-bridge",
  requires: [Databases],
  register({ log, provide, contribute }) {
    provide(Settings, (from) => readSettings(from.get(ConfigSections)));
    provide(Policy, (from) => createToolPolicy(from.get(Settings)));
    provide(Audit, toolAudit);
    provide(ToolAudit, (from) => from.get(Audit));
    provide(Questions, (from) => confirmations(from, log));
    provide(ToolConfirmations, (from) => from.get(Questions));
    provide(ToolGuard, toolGuard);
    provide(ServerResources, (from) =>
      createResources({ guard: from.get(ToolGuard), policy: from.get(Policy), settings: from.get(Settings) }),
    );
    contribute(ChatCommands, (from) => confirmCommand(() => from.get(Questions)));
    contribute(ChatCommands, (from) => denyCommand(() => from.get(Questions)));
  },
  async start({ log, defer, ...from }) {
    const { get } = from;
    const audit = get(Audit);
    await audit.removeOld();
    const timer = setInterval(() => {
      audit.removeOld().catch((error: unknown) => log.warn("old audit rows could not be removed", { error }));
    }, DAY_MS);
    defer(() => clearInterval(timer));
    await serve(from, log, defer);
  },
});

/** Opens the entrance that section `[mcp]` names, when the service was started with `--mcp` or `--mcp-only`. */
async function serve(from: Resolver, log: Logger, defer: StartContext<unknown>["defer"]): Promise<void> {
  const settings = from.get(Settings);
  const { version, stop } = from.get(HostControl);
  const parts = { guard: from.get(ToolGuard), policy: from.get(Policy), resources: from.get(ServerResources), version };
  const sessionFor = (peer: McpPeer) => createMcpServer(parts, peer);
  if (!settings.enabled) return;
  if (settings.transport === "streamable-http") {
    const listener = await openHttpServer({ from, settings, sessionFor, log });
    defer(async () => listener[Symbol.asyncDispose]());
    return;
  }
  const streams = from.find(ProtocolStreams);
  if (!streams) return;
  const session = sessionFor({ id: "stdio", transport: "stdio", confirms: true });
  const onEnd = () => {
    if (settings.only) stop("the MCP client has gone");
  };
  await serveStdio({ ...streams, session, log, onEnd });
  defer(() => session.server.close());
}

/** The audit stands beside the gateway's history (spec 2.7). */
function gatewayFile({ root, data }: Paths, sections: ConfigSections): string {
  const folder = sections.section("gateway").data_dir ?? "";
  const at = folder === "" ? data : isAbsolute(folder) ? folder : join(root, folder);
  return join(at, "gateway.db");
}

function toolAudit(from: Resolver): ToolAuditLog {
  // Opened at the first call: a turn that was left over may come before this plugin starts.
  let opened: Promise<Database> | undefined;
  const open = async () => {
    const database = await from.get(Databases).open(gatewayFile(from.get(Paths), from.get(ConfigSections)));
    await database.migrate("mcp-bridge", AUDIT_MIGRATIONS);
    return database;
  };
  const database = () => {
    opened ??= open().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  return createToolAudit({ database, redaction: from.get(Redaction), clock: from.get(Clock) });
}

function confirmations(from: Resolver, log: Logger): Confirmations {
  return createConfirmations({
    events: from.get(LiveEvents),
    redaction: from.get(Redaction),
    log,
    gateway: () => from.find(Gateway),
    session: async (id) => from.find(Sessions)?.find(id),
  });
}

function toolGuard(from: Resolver): ToolGuard {
  return createToolGuard({
    tools: () => [...from.all(Tools), ...from.all(ToolTables).flat()],
    policy: from.get(Policy),
    limits: createCallLimits(from.get(Clock)),
    audit: from.get(Audit),
    clock: from.get(Clock),
    askPerson: (call) => from.get(Questions).ask(call),
  });
}
