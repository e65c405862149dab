import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  AppError,
  Channels,
  type ChatCommand,
  ChatCommands,
  Clock,
  ConfigSections,
  Databases,
  type DefinedPlugin,
  definePlugin,
  Environment,
  HostControl,
  type JsonFile,
  JsonFiles,
  LiveEvents,
  LogFeed,
  type Logger,
  type LogRow,
  type MessageCount,
  Paths,
  type PluginStatus,
  type Probe,
  Probes,
  Redaction,
  Sessions,
  silentLogger,
  TokenUsage,
  type UsageRow,
} from "@parley/core";
import { createTestClock, memoryDatabases, recordedEvents, startPlugins } from "@parley/testing";
import operations from "./index.ts";

type Document = Readonly<Record<string, unknown>>;

/** A JSON file in memory; `edit` simulates a person's editor. */
export interface EditedFile extends JsonFile<Document> {
  edit(content: Document): void;
  breakIt(reason: string): void;
}

export function createMemoryFile(): EditedFile {
  let content: Document = {};
  let problem: string | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  return {
    read: () => content,
    problem: () => problem,
    update(change) {
      const changed = turn.then(async () => {
        if (problem !== undefined) throw new AppError("conflict", `the file must be repaired first: ${problem}`);
        content = change(content);
        return content;
      });
      turn = changed.catch(() => {});
      return changed;
    },
    edit(next) {
      content = next;
    },
    breakIt(reason) {
      problem = reason;
    },
  };
}

const createPluginStatus = (id: string, failure: string | null = null): PluginStatus => ({
  title: { en: id, zh: id },
  about: { en: "", zh: "" },
  id,
  package: `@parley/plugin-${id}`,
  version: "0.1.0",
  path: "",
  state: failure === null ? "running" : "failed",
  enabled: true,
  required: false,
  required_reason: null,
  required_texts: null,
  failure,
  adds: [],
  config_schema: null,
  config: {},
  revision: 1,
});

export interface OperationsSetup {
  readonly environment?: Readonly<Record<string, string>>;
  /** The `[web]` section of config.ini. */
  readonly web?: Readonly<Record<string, string>>;
  readonly usage?: readonly UsageRow[];
  readonly counts?: readonly MessageCount[];
  readonly commands?: readonly ChatCommand[];
  readonly probes?: readonly Probe[];
  readonly failure?: string;
  readonly plugins?: readonly DefinedPlugin[];
  readonly log?: Logger;
}

/** Starts the plugin with dependencies that the test controls. */
export async function startOperations(setup: OperationsSetup = {}) {
  const {
    environment = {},
    web = {},
    usage = [],
    counts = [],
    commands = [],
    probes = [],
    failure = null,
    plugins = [],
  } = setup;
  const file = createMemoryFile();
  const clock = createTestClock();
  const events = recordedEvents();
  const databases = memoryDatabases();
  const data = await mkdtemp(join(tmpdir(), "parley-operations-"));
  const reloads: (readonly string[] | undefined)[] = [];
  const listeners = new Set<(row: LogRow) => void>();
  const neighbours = definePlugin({
    id: "neighbours",
    register({ contribute }) {
      for (const command of commands) contribute(ChatCommands, () => command);
      for (const probe of probes) contribute(Probes, () => probe);
    },
  });
  const host: Partial<HostControl> = {
    version: "1.2.3",
    startedAt: clock.now(),
    phase: () => "ready",
    plugins: () => [createPluginStatus("storage"), createPluginStatus("acme", failure)],
    async reload(ids) {
      reloads.push(ids);
      return { reloaded: ids ?? ["storage", "acme"], failed: [], duration_ms: 5 };
    },
    examine: async () => [],
    reloadConfig: async () => ({ changed: ["log.level"], restart_required: [], warnings: [] }),
  };
  const filed: LogRow[] = [];
  const services: readonly (readonly [unknown, unknown])[] = [
    [Paths, { root: data, data }],
    [Environment, { get: (name: string) => environment[name], secret: () => undefined }],
    [ConfigSections, { section: (name: string) => (name === "web" ? web : {}) }],
    [Redaction, { mask: createMasked, remember() {} }],
    [JsonFiles, { open: () => file }],
    [Databases, databases],
    [LiveEvents, events],
    [Clock, clock],
    [HostControl, host],
    [
      LogFeed,
      {
        subscribe: (listener: (row: LogRow) => void) => addListener(listeners, listener),
        toFile: (row: LogRow) => void filed.push(row),
        setLevels() {},
      },
    ],
    [
      Sessions,
      { counts: async (since: string) => counts.filter(({ hour }) => hour >= since), activeSince: async () => 2 },
    ],
    [TokenUsage, createUsage(usage)],
    [Channels, { list: () => [{ id: "web", name: "Web" }], get: () => undefined, link: () => undefined }],
  ];
  const running = await startPlugins([neighbours, ...plugins, operations], {
    services: services as never,
    log: setup.log ?? silentLogger,
  });
  return {
    ...running,
    file,
    clock,
    events,
    databases,
    data,
    filed,
    reloads,
    say: (row: Partial<LogRow>) => {
      const full = {
        time: new Date(clock.now()).toISOString(),
        level: "info",
        source: "host",
        message: "",
        context: {},
      };
      for (const listener of listeners) listener({ ...full, ...row } as LogRow);
    },
    async [Symbol.asyncDispose]() {
      await running[Symbol.asyncDispose]();
      await rm(data, { recursive: true });
    },
  };
}

function createMasked<T>(value: T): T {
  return JSON.parse(JSON.stringify(value).replaceAll("hunter2", "***")) as T;
}

function addListener<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function createUsage(rows: readonly UsageRow[]): Pick<TokenUsage, "sums" | "rows"> {
  const within = (since: string, until: string) => rows.filter(({ time }) => time >= since && time < until);
  const keyOf = (row: UsageRow, by: string) =>
    ({ model: row.model_id, purpose: row.purpose, session: row.session_id ?? "", user: row.user ?? "" })[by] ??
    row.time.slice(0, 13);
  return {
    async sums(by, since, until) {
      const groups = Map.groupBy(within(since, until), (row) => keyOf(row, by));
      return [...groups].map(([key, group]) => ({
        key,
        name: key,
        input_tokens: group.reduce((sum, row) => sum + row.input_tokens, 0),
        output_tokens: group.reduce((sum, row) => sum + row.output_tokens, 0),
        total_tokens: group.reduce((sum, row) => sum + row.total_tokens, 0),
        cache_read_tokens: group.reduce((sum, row) => sum + row.cache_read_tokens, 0),
        cache_write_tokens: group.reduce((sum, row) => sum + row.cache_write_tokens, 0),
        requests: group.length,
        cost: group.reduce((sum, row) => sum + (row.cost ?? 0), 0),
        average_ms: 100,
      }));
    },
    rows: async (since, until, { limit, offset }) => within(since, until).slice(offset, offset + limit),
  };
}
