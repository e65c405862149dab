import { isAbsolute, join } from "node:path";
import Joi from "@hapi/joi";
import {
  AppError,
  Channels,
  ChatCommands,
  Clock,
  ConfigSections,
  type Database,
  Databases,
  definePlugin,
  Environment,
  Gateway,
  HostControl,
  LiveEvents,
  type Logger,
  MessageFilter,
  Paths,
  Probes,
  Redaction,
  type Resolver,
  RouteTables,
  Sessions,
  Settings,
  serviceKey,
  TaskKinds,
  ToolAudit,
  type ToolTable,
  ToolTables,
  TurnStages,
} from "@parley/core";
import { createEventLog, type EventLog } from "./event-log.ts";
import { createFailPoint } from "./fail-point.ts";
import { createGateway, type RunningGateway } from "./gateway.ts";
import { createItemWork } from "./item-work.ts";
import { gatewayActionTools, gatewayReadTools } from "./mcp-tools.ts";
import { createDeadLetters } from "./mcp-tools-dead-letters.ts";
import { type DirectText, sendText, startTask, type TaskOrder } from "./mcp-tools-direct.ts";
import { createHistory, type History } from "./mcp-tools-history.ts";
import { createLookup } from "./mcp-tools-lookup.ts";
import { createNodes, NODE_MIGRATIONS } from "./mcp-tools-nodes.ts";
import { createReports } from "./mcp-tools-reports.ts";
import { logRoutes } from "./mcp-tools-routes.ts";
import { createSubmissions, type Submissions } from "./mcp-tools-submit.ts";
import { createOutbox } from "./outbox.ts";
import { createOutcomes } from "./outcomes.ts";
import { createGatewayStore } from "./store.ts";
import { GATEWAY_MIGRATIONS } from "./tables.ts";
import { createTurnRunner } from "./turn-runner.ts";

/** The database of the gateway, once it is open. */
interface GatewayDatabase {
  current: Database | undefined;
}
const OwnDatabase = serviceKey<GatewayDatabase>("gateway-database");
const OwnGateway = serviceKey<RunningGateway>("running-gateway");
const OwnSubmissions = serviceKey<Submissions>("gateway-submissions");
const OwnLog = serviceKey<EventLog>("gateway-log");
const OwnHistory = serviceKey<History>("gateway-history");

/** The one way in and the one way out: every message is stored before it is acknowledged, and accounted for after. */
interface GatewayConfig {
  readonly dedupe_ttl_s: number;
  readonly error_reply: string;
}

export default definePlugin<GatewayConfig>({
  id: "gateway",
  requires: [Databases, Sessions, Settings],
  config: Joi.object<GatewayConfig, true>({
    dedupe_ttl_s: Joi.number()
      .integer()
      .min(86_400)
      .default(259_200)
      .description("How long copies of a message are recognised, in seconds"),
    error_reply: Joi.string()
      .allow("")
      .max(500)
      .default("Sorry, this could not be answered. Please try again later.")
      .description("What people on a channel are told when their message could not be answered; empty: nothing"),
  }),
  register({ config, log, provide, contribute }) {
    provide(OwnDatabase, () => ({ current: undefined }));
    provide(OwnGateway, (from) => build(from, config, log));
    provide(OwnSubmissions, (from) => createSubmissions(from.get(OwnGateway), () => from.find(Channels)));
    provide(Gateway, (from) => from.get(OwnSubmissions).gateway);
    provide(OwnLog, (from) => eventLog(from, log));
    provide(OwnHistory, history);
    contribute(ToolTables, gatewayTools);
    contribute(RouteTables, (from) => logRoutes(from.get(OwnHistory)));
    contribute(Probes, (from) => ({
      id: "gateway",
      async measure() {
        const { waiting, running, duplicates, turns, deliveries } = from.get(OwnGateway).counts();
        const one = (name: string, help: string, kind: "gauge" | "counter", value: number) => ({
          name,
          help,
          kind,
          samples: [{ value }],
        });
        return [
          one("parley_inbox_waiting", "Messages that wait for their turn.", "gauge", waiting),
          one("parley_turns_running", "Turns under way.", "gauge", running),
          one("parley_turns_total", "Turns ended since the start.", "counter", turns),
          one("parley_duplicates_total", "Copies of messages recognised since the start.", "counter", duplicates),
          one("parley_deliveries_waiting", "Deliveries under way or waiting.", "gauge", deliveries.waiting),
          one(
            "parley_deliveries_delivered_total",
            "Deliveries that arrived, since the start.",
            "counter",
            deliveries.delivered,
          ),
          one("parley_deliveries_dead_total", "Deliveries given up since the start.", "counter", deliveries.dead),
        ];
      },
    }));
  },
  async start({ get, defer }) {
    const folder = get(ConfigSections).section("gateway").data_dir ?? "";
    const { root, data } = get(Paths);
    const at = folder === "" ? data : isAbsolute(folder) ? folder : join(root, folder);
    const database = await get(Databases).open(join(at, "gateway.db"));
    await database.migrate("gateway", GATEWAY_MIGRATIONS);
    await database.migrate("gateway-nodes", NODE_MIGRATIONS);
    get(OwnDatabase).current = database;
    const gateway = get(OwnGateway);
    defer(() => gateway.shutDown());
    await gateway.start();
  },
});

const databaseOf = (from: Resolver) => () => {
  const { current } = from.get(OwnDatabase);
  if (!current) throw new AppError("unavailable", "the gateway is not open");
  return current;
};

const isHistoryKept = (from: Resolver) => from.get(ConfigSections).section("gateway").storage_enabled !== "false";

const eventLog = (from: Resolver, log: Logger) =>
  createEventLog({
    database: databaseOf(from),
    clock: from.get(Clock),
    events: from.get(LiveEvents),
    redaction: from.get(Redaction),
    log,
    isKept: isHistoryKept(from),
  });

const history = (from: Resolver) =>
  createHistory({
    database: databaseOf(from),
    audit: () => from.find(ToolAudit),
    settled: () => from.get(OwnLog).flush(),
    isKept: isHistoryKept(from),
  });

function gatewayTools(from: Resolver): ToolTable {
  const database = databaseOf(from);
  const clock = from.get(Clock);
  const { version, startedAt: startedMs } = from.get(HostControl);
  const gateway = () => from.get(OwnGateway);
  const channels = () => from.find(Channels);
  const load = () => Math.min(1, gateway().counts().running / from.get(Settings).get<number>("gateway.concurrency"));
  const ownHistory = from.get(OwnHistory);
  const nodes = createNodes({ database, clock, version, startedMs, load });
  const isKept = isHistoryKept(from);
  const parts = {
    nodes,
    history: ownHistory,
    reports: createReports({ gateway, history: ownHistory, channels, clock, startedMs, isKept }),
    lookup: createLookup({
      database,
      audit: () => from.find(ToolAudit),
      channels,
      sessions: () => from.get(Sessions),
      nodes,
    }),
    submit: from.get(OwnSubmissions).submit,
    send: (text: DirectText) =>
      sendText({ gateway: from.get(Gateway), channels, filter: () => from.find(MessageFilter) }, text),
    startTask: (order: TaskOrder) => startTask(from.all(TaskKinds), order),
    deadLetters: createDeadLetters({ database, gateway, clock }),
  };
  return [...gatewayReadTools(parts), ...gatewayActionTools(parts)];
}

function build(from: Resolver, config: GatewayConfig, logger: Logger): RunningGateway {
  const clock = from.get(Clock);
  const database = databaseOf(from);
  const log = from.get(OwnLog);
  const store = createGatewayStore(database, log, clock);
  const failPoint = createFailPoint(from.get(Environment));
  const channels = () => from.find(Channels);
  const outbox = createOutbox({
    store,
    log,
    logger,
    clock,
    failPoint,
    channels,
    random: Math.random,
    changed: () => gateway.changed(),
  });
  const runner = createTurnRunner({
    stages: () => from.all(TurnStages),
    sessions: from.get(Sessions),
    channels,
    commands: () => from.all(ChatCommands),
    store,
    events: from.get(LiveEvents),
    log,
    logger,
    failPoint,
    link: (channelId) => outbox.link(channelId),
  });
  const outcomes = createOutcomes(store);
  const settings = from.get(Settings);
  const errorReply = config.error_reply;
  const work = createItemWork({
    store,
    outbox,
    runner,
    outcomes,
    log,
    logger,
    settings,
    clock,
    failPoint,
    errorReply,
  });
  const gateway = createGateway({
    store,
    outbox,
    outcomes,
    runner,
    work,
    log,
    logger,
    settings,
    clock,
    failPoint,
    redaction: from.get(Redaction),
    dedupeTtlMs: config.dedupe_ttl_s * 1000,
  });
  return gateway;
}
