import { randomUUID } from "node:crypto";
import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import {
  AppError,
  type Egress,
  notFound,
  PromptSources,
  Replay,
  type Replayed,
  Sessions,
  TextIndex,
  type TurnRecord,
  TurnStages,
} from "@parley/core";
import { toPage } from "@parley/core/http";
import { type HostOptions, StartError } from "@parley/host";
import {
  BUNDLED_PLUGINS,
  type Configuration,
  createGeneration,
  createHostServices,
  createIdleControl,
  createLiveEvents,
  createLogging,
  createRedaction,
  createTextSpaces,
  findExternalStorage,
  type Generation,
  loadConfiguredPlugins,
  openRows,
  type PartialStart,
  readConfiguration,
  readOwners,
  readSnapshot,
  toHostService,
  withStorage,
} from "@parley/host/tooling";
import { replaceRows } from "../migrate/replace-rows.ts";

/** Copies a database in one step; in several, the copy restarts on every write of the service. */
const ALL_PAGES = 0x7fff_ffff;

type ReplayHostOptions = Pick<HostOptions, "root" | "flags" | "env" | "plugins" | "packages">;

/** Reads a recorded turn of this installation, also while the service runs. */
export async function readTurn(traceId: string, options: ReplayHostOptions = {}): Promise<TurnRecord> {
  const generation = await registerPlugins(options, readOptionsConfiguration(options));
  return generation.from.get(Replay).read(traceId);
}

/** Runs a recorded turn through the stages of this installation on copied documents; nothing is sent or written. */
export async function replayTurn(record: TurnRecord, options: ReplayHostOptions = {}): Promise<Replayed> {
  const data = mkdtempSync(join(tmpdir(), "parley-replay-"));
  try {
    const partialStart: PartialStart = {
      points: [TurnStages.id, PromptSources.id],
      standIns: [toHostService(Sessions, createRecordedSessions(record))],
      unstarted: [Replay.id],
    };
    const configuration = readOptionsConfiguration(options);
    copyFiles(configuration.data, data);
    const replayConfiguration = { ...withFileStorage(configuration), data };
    if (findExternalStorage(configuration) === undefined) await copyDatabase(configuration.data, data);
    else
      await copyRows(
        configuration,
        data,
        await registerPlugins(options, withAdminPassword(replayConfiguration), partialStart),
      );
    const generation = await registerPlugins(options, replayConfiguration, partialStart);
    await generation.start();
    try {
      return await generation.from.get(Replay).run(record);
    } finally {
      await generation.dispose();
    }
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}

function readOptionsConfiguration({
  root = process.cwd(),
  flags = {},
  env = process.env,
}: ReplayHostOptions): Configuration {
  return readConfiguration({ root, flags, env });
}

function withFileStorage(configuration: Configuration): Configuration {
  const isThere = findExternalStorage(configuration) === undefined;
  return isThere ? configuration : withStorage(configuration, BUNDLED_PLUGINS.storage as string);
}

/** Adds a random administrator password, so that an empty database does not print a generated one. */
function withAdminPassword(configuration: Configuration): Configuration {
  return { ...configuration, environment: { ...configuration.environment, SVC_ADMIN_PASSWORD: randomUUID() } };
}

/** Loads and registers the plugins without starting any. */
async function registerPlugins(
  options: ReplayHostOptions,
  configuration: Configuration,
  partialStart?: PartialStart,
): Promise<Generation> {
  const redaction = createRedaction();
  const logging = createLogging({ level: "error", format: "pretty", folder: undefined, redaction });
  const { log } = logging;
  const parts = {
    control: createIdleControl("a replay"),
    redaction,
    logging,
    events: createLiveEvents(log),
    egress: NO_EGRESS,
  };
  const generation = createGeneration({
    loaded: await loadConfiguredPlugins(configuration, options),
    services: createHostServices(configuration, parts),
    log,
    ...(partialStart && { part: partialStart }),
  });
  const problems = [...configuration.problems, ...generation.problems];
  if (problems.length > 0) throw new StartError(problems);
  return generation;
}

/** Copies the JSON files of people and plugins, without logs and secrets. */
function copyFiles(from: string, to: string): void {
  if (!existsSync(from)) return;
  // A copy must not claim the folder or its list of databases.
  const folderFiles = ["instance.json", "databases.json"];
  for (const file of readdirSync(from)) {
    if (file.endsWith(".json") && !folderFiles.includes(file)) copyFileSync(join(from, file), join(to, file));
  }
}

/** Copies the database as of one instant. */
async function copyDatabase(from: string, to: string): Promise<void> {
  const main = join(from, "parley.db");
  if (!existsSync(main)) return;
  const database = new DatabaseSync(main, { readOnly: true, timeout: 5_000 });
  try {
    await backup(database, join(to, "parley.db"), { rate: ALL_PAGES });
  } finally {
    database.close();
  }
}

/** Copies a server's rows, but only tables that the plugins of a turn create at their start. */
async function copyRows(configuration: Configuration, data: string, tables: Generation): Promise<void> {
  await tables.start();
  const texts = tables.from.find(TextIndex);
  await createTextSpaces(texts, await readSnapshot(configuration, ({ main }) => readOwners(main)));
  await tables.dispose();
  await using copy = await openRows({ ...withFileStorage(configuration), data });
  await replaceRows(configuration, copy.databases.main, texts);
}

/** Creates the session service of one record; changes by a replayed turn are rejected. */
function createRecordedSessions({ session, history, userMessage }: TurnRecord): Sessions {
  const isRecorded = (idOrKey: string) => idOrKey === session.id || idOrKey === session.key;
  const recordedMessages = [...history, ...(userMessage ? [userMessage] : [])];
  const reject = async () => {
    throw new AppError("unavailable", "a replay has one recorded session and changes none");
  };
  return {
    find: async (idOrKey) => (isRecorded(idOrKey) ? session : undefined),
    messagesById: async (ids) => recordedMessages.filter(({ id }) => ids.includes(id)),
    storedMessages: (ids) => recordedMessages.filter(({ id }) => ids.includes(id)),
    async get(idOrKey) {
      if (!isRecorded(idOrKey)) throw notFound("session", idOrKey);
      return session;
    },
    openFor: async () => session,
    openOwn: async () => session,
    list: async (query) => toPage([session], query),
    messages: async (_id, query) => toPage(recordedMessages, query),
    history: async (_id, limit) => recordedMessages.slice(-limit),
    // The recorded prompt already contains it.
    customPrompt: async () => "",
    // Titles are set outside the turn, so a replay ignores them.
    nameAutomatically: async () => {},
    // The recorded history contains only what was said.
    recordUnsaid: async () => {},
    boundTo: async () => [],
    counts: async () => [],
    activeSince: async () => 0,
    clear: reject,
    record: reject,
    adopt: reject,
    chat: reject,
    press: reject,
    archiveMessages: reject,
    regenerate: reject,
    create: reject,
    useModel: reject,
    usePersona: reject,
    published: reject,
    attach: reject,
    giveVoice: reject,
    prepareDeliveryError: reject,
  };
}

const rejectEgress = async (): Promise<never> => {
  throw new AppError("unavailable", "a replay reaches nobody");
};
const NO_EGRESS: Egress = { fetch: () => rejectEgress, check: rejectEgress };
