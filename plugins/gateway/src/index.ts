import { join } from "node:path";
import Joi from "@hapi/joi";
import {
  Clock,
  ConfigSections,
  type ConsoleArea,
  ConsoleAreas,
  Databases,
  definePlugin,
  Gateway,
  GatewayLog,
  HostControl,
  JobKinds,
  LiveEvents,
  Paths,
  Probes,
  RecordLifecycle,
  type RecordPart,
  Redaction,
  Replay,
  type Resolver,
  RouteTables,
  Schedules,
  Sessions,
  SettingDefinitions,
  Settings,
  serviceKey,
  ToolTables,
  TurnStages,
} from "@parley/core";
import { assemble, type GatewayConfig, PRUNE } from "./assemble.ts";
import { watchOverload } from "./overload.ts";
import { createReplay, gatewayFile } from "./replay.ts";
import { GATEWAY_SETTINGS } from "./settings.ts";

const LOCAL_NODE = "local";
const HEARTBEAT_MS = 30_000;
const HOUR_MS = 3_600_000;

/** Everything of this plugin, put together; its database is opened at the start. */
interface Own extends ReturnType<typeof assemble> {}
const Own = serviceKey<Own>("gateway.own");

const perMinute = (most: number, what: string) =>
  Joi.number().integer().min(0).default(most).description(`Messages a minute of one ${what}; 0: no limit`);

/** Every message in, every reply out: stored, run in order, delivered, accounted for. */
export default definePlugin<GatewayConfig>({
  id: "gateway",
  requires: [Databases, Schedules, Sessions, Settings],
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
    limit_reply: Joi.string()
      .allow("")
      .max(500)
      .default("That was too much at once. Please wait a minute.")
      .description("What people on a channel are told, once a minute, when they write too much; empty: nothing"),
    limit_user_per_minute: perMinute(20, "user"),
    limit_conversation_per_minute: perMinute(60, "conversation"),
    limit_channel_per_minute: perMinute(6_000, "channel"),
  }),
  register({ config, log, provide, contribute }) {
    provide(Own, (from) => assemble(from, config, log));
    provide(Gateway, (from) => from.get(Own).gateway);
    provide(Replay, replayFrom);
    contribute(Probes, (from) => from.get(Own).probe);
    provide(GatewayLog, (from) => from.get(Own).noteLog);
    contribute(
      ConsoleAreas,
      (): ConsoleArea => ({
        id: "gateway",
        group: "system",
        title: { en: "Gateway", zh: "网关" },
        icon: "gateway",
        order: 10,
        view: { kind: "page", page: "gateway" },
      }),
    );
    contribute(RouteTables, (from) => from.get(Own).routes);
    contribute(ToolTables, (from) => from.get(Own).tools);
    contribute(JobKinds, (from) => from.get(Own).pruning);
    contribute(
      RecordLifecycle,
      (from): RecordPart => ({
        id: "gateway.turns",
        of: "session",
        leaving: (id) => from.get(Own).gateway.abandon(id),
      }),
    );
    for (const offered of GATEWAY_SETTINGS) contribute(SettingDefinitions, () => offered);
  },
  async start({ get, log, defer }) {
    const own = get(Own);
    await own.open(get(Databases), gatewayFile(get(Paths), get(ConfigSections)));
    own.opened.overload = watchOverload(own.noteOverload);
    defer(() => own.opened.overload?.[Symbol.dispose]());
    defer(() => own.gateway.shutDown());
    await own.gateway.start();
    defer(
      get(LiveEvents).subscribe(({ type, payload }) => {
        if (type === "channel_status" && payload.connected === true) own.reachable(String(payload.channel_id));
      }),
    );
    await own.nodes.register(
      { node_id: LOCAL_NODE, node_type: "gateway", version: get(HostControl).version },
      LOCAL_NODE,
    );
    const beat = async (state?: "draining" | "offline") => {
      const { running, places } = own.gateway.counts();
      const load = Math.min(1, running / places);
      await own.nodes.heartbeat(LOCAL_NODE, state ?? (load >= 1 ? "busy" : load === 0 ? "idle" : "online"), load);
    };
    const timer = setInterval(() => {
      beat().catch((error) => log.warn("the node could not report", { error }));
    }, HEARTBEAT_MS);
    defer(async () => {
      clearInterval(timer);
      await beat("draining").catch((error) => log.warn("the node could not say that it stops", { error }));
    });
  },
  async ready({ get }) {
    await get(Schedules).put({ id: PRUNE, kind: PRUNE, payload: {}, everyMs: HOUR_MS, madeUpWithinMs: 24 * HOUR_MS });
  },
});

const replayFrom = (from: Resolver) =>
  createReplay({
    truth: () => join(from.get(Paths).data, "parley.db"),
    history: () => gatewayFile(from.get(Paths), from.get(ConfigSections)),
    stages: () => from.all(TurnStages),
    sessions: () => from.get(Sessions),
    redaction: from.get(Redaction),
    clock: from.get(Clock),
  });
