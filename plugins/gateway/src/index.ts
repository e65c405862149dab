import { join } from "node:path";
import {
  addDocuments,
  Checks,
  Clock,
  ConfigSections,
  type ConsoleArea,
  ConsoleAreas,
  Databases,
  definePlugin,
  Gateway,
  GatewayLog,
  HostControl,
  LiveEvents,
  type Logger,
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
  StoredRows,
  serviceKey,
  ToolTables,
  TurnStages,
  Upkeeps,
} from "@parley/core";
import { assemble } from "./assemble.ts";
import { WORKER_SWITCH } from "./cluster/cluster-sync.ts";
import { CUT_REPLY, GATEWAY_CONFIG, type GatewayConfig } from "./config.ts";
import { createReplay, getHistoryFile } from "./observe/replay/replay.ts";
import { GATEWAY_SETTINGS } from "./settings.ts";

const LOCAL_NODE = "local";
const HEARTBEAT_MS = 30_000;

/** The assembled plugin. Its databases are opened when the plugin starts. */
interface Own extends ReturnType<typeof assemble> {}
const Own = serviceKey<Own>("gateway.own");

/** Stores every message, runs its turn in order, delivers the replies, and logs each step. */
export default definePlugin<GatewayConfig>({
  id: "gateway",
  // Its upkeep, which removes old messages, runs on a schedule.
  requires: [Databases, Schedules, Sessions, Settings],
  config: GATEWAY_CONFIG,
  register({ config, log, provide, contribute }) {
    addDocuments({ contribute }, WORKER_SWITCH);
    provide(Own, (from) => assemble(from, config, log));
    provide(Gateway, (from) => from.get(Own).gateway);
    provide(Replay, (from) => createReplayService(from, config));
    contribute(Probes, (from) => from.get(Own).probe);
    contribute(Checks, (from) => from.get(Own).check);
    provide(GatewayLog, (from) => from.get(Own).gatewayLog);
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
    contribute(Upkeeps, (from) => from.get(Own).pruneUpkeep);
    contribute(
      RecordLifecycle,
      (from): RecordPart => ({
        id: "gateway.turns",
        of: "session",
        async leaving(id) {
          const { gateway, erase } = from.get(Own);
          await gateway.abandon(id);
          if ((await from.get(Sessions).find(id))?.is_temporary) await erase(id);
        },
      }),
    );
    contribute(RecordLifecycle, (from) => from.get(Own).personPart);
    contribute(TurnStages, (from) => from.get(Own).pressStage);
    contribute(TurnStages, (from) => from.get(Own).elementsStage);
    for (const offered of GATEWAY_SETTINGS) contribute(SettingDefinitions, () => offered);
  },
  async start({ get, log, defer }) {
    const own = get(Own);
    await own.open(get(Databases), getHistoryFile(get(Paths), get(ConfigSections)));
    const overload = own.watchOverload();
    defer(() => overload[Symbol.dispose]());
    defer(own.startSavingMetrics());
    defer(() => own.news[Symbol.dispose]());
    defer(() => own.gateway.shutDown());
    await own.gateway.start();
    defer(
      // The type is checked first, because reading a payload may build it.
      get(LiveEvents).subscribe((event) => {
        if (event.type === "channel_status" && event.payload.connected === true)
          own.onChannelReachable(String(event.payload.channel_id));
      }),
    );
    defer(await startHeartbeat(own, get(HostControl).version, log));
  },
});

const createReplayService = (from: Resolver, config: GatewayConfig) =>
  createReplay({
    mainFile: () => join(from.get(Paths).data, "parley.db"),
    historyFile: () => getHistoryFile(from.get(Paths), from.get(ConfigSections)),
    storedRows: () => from.find(StoredRows),
    stages: () => from.all(TurnStages),
    sessions: () => from.get(Sessions),
    redaction: from.get(Redaction),
    clock: from.get(Clock),
    cutReply: config.cut_reply ?? CUT_REPLY,
  });

/** Registers this process as a node and sends heartbeats while it runs. */
async function startHeartbeat(
  { nodes, gateway, node }: Own,
  version: string,
  log: Logger,
): Promise<() => Promise<void>> {
  const id = node === undefined ? LOCAL_NODE : `${LOCAL_NODE}-${node()}`;
  await nodes.register({ node_id: id, node_type: "gateway", version }, LOCAL_NODE);
  const beat = async (state?: "draining") => {
    const { running, concurrency } = gateway.counts();
    const load = Math.min(1, running / concurrency);
    const isDraining = gateway.isDraining();
    await nodes.heartbeat(
      id,
      state ?? (isDraining ? "draining" : load >= 1 ? "busy" : load === 0 ? "idle" : "online"),
      load,
    );
  };
  const timer = setInterval(() => {
    beat().catch((error) => log.warn("the node could not send its heartbeat", { error }));
  }, HEARTBEAT_MS);
  return async () => {
    clearInterval(timer);
    await beat("draining").catch((error) => log.warn("the node could not be marked as draining", { error }));
  };
}
