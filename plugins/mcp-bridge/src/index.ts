import {
  addDocuments,
  addResource,
  ChatCommands,
  Checks,
  Clock,
  ConfigSections,
  ConfirmableTools,
  type ConsoleArea,
  ConsoleAreas,
  Databases,
  definePlugin,
  ElementHandlers,
  JobKinds,
  ModelCalls,
  ProtectedResource,
  RecordStore,
  type Resolver,
  RouteTables,
  SecretBox,
  SettingDefinitions,
  Settings,
  ToolConfirmations,
  ToolGuard,
  TransferSections,
  Upkeeps,
} from "@parley/core";
import { webSection } from "@parley/core/http";
import { openSharedWindow } from "@parley/core/limits";
import { KNOWN_TOOLS, SERVER_SECRETS, SERVERS, SIGN_IN_ATTEMPTS, SIGN_INS } from "./client/document-kinds.ts";
import { makeManualCalls, makeRevocations, makeServers, makeSignInEndpoint, makeSignIns } from "./client/factories.ts";
import { createSignInRoutes } from "./client/oauth/sign-in-routes.ts";
import { createServerRoutes } from "./client/routes.ts";
import { mcpServers } from "./client/servers/entry.ts";
import { createServersCheck } from "./client/servers/servers-check.ts";
import { createMcpServersSection } from "./client/servers/transfer.ts";
import { createApprovalHandler } from "./guard/confirmations/approval-handler.ts";
import { createConfirmCommand, createDenyCommand } from "./guard/confirmations/confirm-commands.ts";
import { createConfirmationRoutes } from "./guard/confirmations/confirmation-routes.ts";
import { makeAudit, makeConfirmations, makeGuard, toConfirmDeps } from "./guard/factories.ts";
import { createToolPolicy } from "./guard/tool-policy.ts";
import { createInstallationId, INSTALLATION } from "./installation-id.ts";
import {
  Audit,
  OwnInstallationId,
  OwnRevocations,
  OwnServers,
  OwnSettings,
  OwnSignIns,
  Pending,
  Policy,
  Questions,
} from "./keys.ts";
import { createProtectedResource } from "./server/http/protected-resource.ts";
import { makeServiceRoutes, serve, serveLocalClients } from "./server/serve.ts";
import { readSettings } from "./settings.ts";
import { STDIO_ENABLED } from "./stdio-setting.ts";
import { mcpBridgeTexts } from "./texts.ts";
import { createPendingCalls, PENDING_CALL_TTL_MS, type PendingCalls } from "./web-agent/pending-calls.ts";
import { createWebAgentRoutes } from "./web-agent/routes.ts";
import { createConfirmableTools, createWebAgent } from "./web-agent/web-agent.ts";

const DAY_MS = 86_400_000;

/** Offers the service's tools to models and MCP clients, and other servers' tools to our models, through one guard. */
export default definePlugin({
  id: "mcp-bridge",
  requires: [RecordStore, Databases],
  register(context) {
    const { log, provide, contribute } = context;
    addDocuments(context, INSTALLATION, SERVERS, SERVER_SECRETS, KNOWN_TOOLS, SIGN_INS, SIGN_IN_ATTEMPTS);
    addResource(context, mcpServers, (from) => from.get(OwnServers).records);
    provide(OwnSettings, (from) => readSettings(from.get(ConfigSections)));
    provide(OwnInstallationId, (from) => createInstallationId(from.get(RecordStore).documents(INSTALLATION)));
    provide(Policy, (from) => createToolPolicy(from.get(OwnSettings)));
    provide(ProtectedResource, (from) => {
      const { public_base_url = "" } = webSection(from.get(ConfigSections), from.find(Settings));
      return createProtectedResource(from.get(OwnSettings), from.get(Policy), public_base_url);
    });
    provide(Audit, makeAudit);
    provide(Questions, (from) => makeConfirmations(from, log));
    provide(ToolConfirmations, (from) => from.get(Questions));
    provide(OwnRevocations, (from) => makeRevocations(from, log));
    provide(OwnSignIns, (from) => makeSignIns(from, log));
    provide(OwnServers, (from) => makeServers(from, log));
    provide(ToolGuard, (from) => makeGuard(from, log));
    provide(Pending, makePendingCalls);
    provide(ConfirmableTools, (from) => createConfirmableTools(from.get(ToolGuard), from.get(Pending)));
    contribute(SettingDefinitions, () => STDIO_ENABLED);
    contribute(Checks, (from) => createServersCheck(() => from.get(OwnServers)));
    contribute(JobKinds, (from) => from.get(OwnRevocations).kind);
    contribute(TransferSections, (from) => createMcpServersSection(() => from.get(OwnServers)));
    contribute(ChatCommands, (from) => createConfirmCommand(toConfirmDeps(from)));
    contribute(ChatCommands, (from) => createDenyCommand(toConfirmDeps(from)));
    contribute(ElementHandlers, (from) => createApprovalHandler(toConfirmDeps(from)));
    contribute(
      ConsoleAreas,
      (): ConsoleArea => ({
        id: "mcp",
        group: "connections",
        title: { en: "MCP", zh: "MCP" },
        icon: "tool",
        order: 20,
        scope: "admin",
        view: { kind: "page", page: "mcp" },
      }),
    );
    contribute(Upkeeps, (from) => ({
      name: "mcp-bridge.prune",
      title: { en: "Remove old records of tool calls", zh: "清理旧的工具调用记录" },
      everyMs: DAY_MS,
      run: async ({ log }) =>
        log(mcpBridgeTexts.message("audit_removed", { count: await from.get(Audit).removeOld() })),
    }));
    contribute(RouteTables, (from) => createServerRoutes(from.get(OwnServers), makeManualCalls(from)));
    contribute(RouteTables, (from) => createSignInRoutes(makeSignInEndpoint(from)));
    contribute(RouteTables, (from) => createConfirmationRoutes(from.get(Questions)));
    contribute(RouteTables, makeServiceRoutes);
    contribute(RouteTables, (from) => {
      const calls = from.find(ModelCalls);
      if (!calls) return [];
      const shared = { guard: from.get(ToolGuard), clock: from.get(Clock), pending: from.get(Pending) };
      return createWebAgentRoutes(createWebAgent({ ...shared, calls }));
    });
  },
  async start({ log, defer, acrossReloads, ...from }) {
    const { connect_url } = from.get(OwnSettings);
    await from.get(Audit).prepare();
    const servers = from.get(OwnServers);
    defer(async () => servers[Symbol.asyncDispose]());
    await servers.start();
    defer(servers.follow());
    defer(from.get(Questions).follow());
    const switched = (isOn: boolean) =>
      void servers
        .onProgramsSwitched(isOn)
        .catch((error: unknown) => log.error("a server could not be stopped", { error }));
    defer(from.find(Settings)?.watch(STDIO_ENABLED, switched) ?? (() => {}));
    if (connect_url !== "") await servers.connectTo(connect_url);
    await serve(from, log, { defer, acrossReloads });
    await serveLocalClients(from, log, defer);
  },
});

function makePendingCalls(from: Resolver): PendingCalls {
  const used = openSharedWindow(from, "confirmed-calls", PENDING_CALL_TTL_MS);
  return createPendingCalls({ box: () => from.get(SecretBox), usedIds: used, clock: from.get(Clock) });
}
