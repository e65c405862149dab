import { hostname } from "node:os";
import {
  AppError,
  Checks,
  Clock,
  Databases,
  definePlugin,
  Environment,
  HostControl,
  LiveEvents,
  type Logger,
  Nodes,
  Probes,
  type Resolver,
  Signals,
  StoredRows,
  serviceKey,
  type Environment as Variables,
} from "@parley/core";
import { createDatabaseCheck } from "./check.ts";
import { POSTGRES_CONFIG, type PostgresConfig } from "./config.ts";
import { createConnectionOptions } from "./connection/connections.ts";
import { measureServer } from "./connection/examine-server.ts";
import { createStorage, OWN_TABLES, type Storage } from "./storage.ts";
import { createStoredRows } from "./stored-rows.ts";

const OpenStorage = serviceKey<Storage>("open-postgres");

/** SQL rows on a PostgreSQL server: replaces the plugin of the same id that stores them in files. */
export default definePlugin<PostgresConfig>({
  id: "storage",
  config: POSTGRES_CONFIG,
  register({ config, log, provide, contribute }) {
    provide(OpenStorage, (from) =>
      createStorage({
        config,
        url: () => readUrl(config, from.get(Environment)),
        version: () => from.find(HostControl)?.version,
        address: () => getAddress(from.find(HostControl)),
        clock: from.get(Clock),
        log,
      }),
    );
    provide(Databases, (from) => from.get(OpenStorage));
    provide(Signals, (from) => from.get(OpenStorage).signals);
    const toOptions = (from: Resolver) => () =>
      createConnectionOptions(readUrl(config, from.get(Environment)), config.statement_timeout_s * 1000);
    provide(StoredRows, (from) => createStoredRows(toOptions(from), OWN_TABLES));
    contribute(Checks, (from) =>
      createDatabaseCheck({
        readAddress: () => readUrl(config, from.get(Environment)),
        examineServer: async () => measureServer(toOptions(from)()),
        getRoundTripMs: () => from.get(OpenStorage).roundTripMs(),
      }),
    );
    if (config.nodes) provide(Nodes, (from) => from.get(OpenStorage).nodes());
    contribute(Probes, (from) => from.get(OpenStorage).probe);
  },
  async start({ config, get, log, defer }) {
    defer(await get(OpenStorage).start());
    if (!config.nodes) return;
    const { nodes } = get(OpenStorage);
    const events = get(LiveEvents);
    defer(events.subscribe((event) => nodes().publish(event)));
    defer(nodes().onEvent(events.relay));
    const host = get(HostControl);
    defer(
      get(OpenStorage)
        .nodes()
        .onLost(() => void reloadOrStop(host, log)),
    );
  },
  async ready({ get }) {
    await get(OpenStorage).onReady();
  },
});

/** Returns this process's host name and port; empty while it does not listen. */
function getAddress(host: HostControl | undefined): string {
  const at = host?.server?.address();
  return at && typeof at === "object" ? `${hostname()}:${at.port}` : "";
}

/** Reloads all plugins, because everything that this process has cached is outdated; stops the process when that fails. */
async function reloadOrStop(host: HostControl, log: Logger): Promise<void> {
  const { failed } = await host.reload().catch((error) => ({ failed: [{ name: "parley", error: String(error) }] }));
  if (failed.length === 0) return;
  log.error("the node could not be restarted", { failed });
  // The exit code is not that of a stop by a person, so that the supervisor restarts the service.
  host.stop("the other nodes considered it offline", 1);
}

function readUrl({ url_env }: PostgresConfig, environment: Variables): string {
  const url = environment.secret(url_env);
  const example = "postgresql://parley:password@127.0.0.1:5432/parley";
  if (url === undefined) {
    throw new AppError(
      "bad_request",
      `the variable ${url_env} is not set: it holds the database's address, ${example}`,
    );
  }
  if (!/^postgres(ql)?:$/.test(URL.parse(url)?.protocol ?? "")) {
    throw new AppError("bad_request", `the variable ${url_env} holds no address of a database, such as ${example}`);
  }
  return url;
}
