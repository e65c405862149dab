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
  LiveEvents,
  Paths,
  Probes,
  Redaction,
  type Resolver,
  Sessions,
  Settings,
  serviceKey,
  TurnStages,
} from "@parley/core";
import { createEventLog } from "./event-log.ts";
import { createFailPoint } from "./fail-point.ts";
import { createGateway, type RunningGateway } from "./gateway.ts";
import { createItemWork } from "./item-work.ts";
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
    provide(Gateway, (from) => from.get(OwnGateway));
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
    get(OwnDatabase).current = database;
    const gateway = get(OwnGateway);
    defer(() => gateway.shutDown());
    await gateway.start();
  },
});

function build(
  from: Resolver,
  config: GatewayConfig,
  logger: Parameters<typeof createEventLog>[0]["log"],
): RunningGateway {
  const clock = from.get(Clock);
  const holder = from.get(OwnDatabase);
  const database = () => {
    if (!holder.current) throw new AppError("unavailable", "the gateway is not open");
    return holder.current;
  };
  const log = createEventLog({
    database,
    clock,
    events: from.get(LiveEvents),
    redaction: from.get(Redaction),
    log: logger,
    isKept: from.get(ConfigSections).section("gateway").storage_enabled !== "false",
  });
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
