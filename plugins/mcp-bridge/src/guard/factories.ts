import {
  Accounts,
  Clock,
  type Database,
  Databases,
  Gateway,
  GatewayLog,
  LiveEvents,
  type Logger,
  People,
  Redaction,
  type Resolver,
  Sessions,
  Signals,
  type ToolGuard,
  ToolSources,
  ToolSwitches,
  Tools,
  ToolTables,
} from "@parley/core";
import { openSharedWindow } from "@parley/core/limits";
import { createBroadcast } from "@parley/core/storage";
import { Audit, OwnServers, Policy, Questions } from "../keys.ts";
import { AUDIT_MIGRATIONS } from "./audit-tables.ts";
import { CALLS_WINDOW_MS, createCallLimits } from "./call-limits.ts";
import { toLiveEvent, toLogEntry } from "./call-log.ts";
import type { ConfirmCommandsDeps } from "./confirmations/confirm-commands.ts";
import { type Confirmations, createConfirmations } from "./confirmations/confirmations.ts";
import type { QuestionEvent } from "./confirmations/remote-questions.ts";
import { createToolAudit, type ToolAudit } from "./tool-audit.ts";
import { createToolGuard } from "./tool-guard.ts";

const listContributedTools = (from: Resolver) => [
  ...from.all(Tools),
  ...from.all(ToolTables).flat(),
  ...from.all(ToolSources).flatMap((source) => source.tools()),
];

export function makeGuard(from: Resolver, log: Logger): ToolGuard {
  return createToolGuard({
    tools: () => [...listContributedTools(from), ...from.get(OwnServers).getOfferedTools()],
    isEnabled: (tool) => from.find(ToolSwitches)?.isOn(tool) ?? tool.isOffAtFirst !== true,
    policy: from.get(Policy),
    limits: createCallLimits(openSharedWindow(from, "tool-calls", CALLS_WINDOW_MS)),
    audit: from.get(Audit),
    clock: from.get(Clock),
    askPerson: (call) => from.get(Questions).ask(call),
    log,
  });
}

export function makeAudit(from: Resolver): ToolAudit {
  // Opened at the first call, because an unfinished turn may call a tool before this plugin starts.
  let opened: Promise<Database> | undefined;
  const open = async () => {
    const database = from.get(Databases).main;
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
  return createToolAudit({
    database,
    redaction: from.get(Redaction),
    clock: from.get(Clock),
    onCallRecorded(row) {
      from.find(GatewayLog)?.add(toLogEntry(row));
      from.get(LiveEvents).publish(toLiveEvent(row));
    },
  });
}

export function toConfirmDeps(from: Resolver): ConfirmCommandsDeps {
  return {
    confirmations: () => from.get(Questions),
    accounts: () => from.find(Accounts),
    people: () => from.find(People),
  };
}

export function makeConfirmations(from: Resolver, log: Logger): Confirmations {
  return createConfirmations({
    events: from.get(LiveEvents),
    clock: from.get(Clock),
    redaction: from.get(Redaction),
    log,
    gateway: () => from.find(Gateway),
    session: async (id) => from.find(Sessions)?.find(id),
    remoteQuestions: createBroadcast<QuestionEvent>("confirmations", {
      database: () => from.get(Databases).main,
      signals: () => from.find(Signals),
      log,
    }),
  });
}
