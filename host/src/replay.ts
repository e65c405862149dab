import { randomUUID } from "node:crypto";
import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import {
  AppError,
  type Egress,
  listOf,
  notFound,
  PromptSources,
  Replay,
  type Replayed,
  Sessions,
  TextIndex,
  type TurnRecord,
  TurnStages,
} from "@parley/core";
import { type Configuration, readConfiguration } from "./configuration.ts";
import { FIRST_PARTY } from "./first-party.ts";
import { createGeneration, type Generation } from "./generation.ts";
import { type HostOptions, load } from "./host-options.ts";
import { hostServices, service } from "./host-services.ts";
import { idleControl } from "./idle-control.ts";
import { createLiveEvents } from "./live-events.ts";
import { createLogging } from "./logging.ts";
import { makeSpaces } from "./migrate/declared-steps.ts";
import { keptBy } from "./migrate/ends.ts";
import { openRows, readStored } from "./migrate/open-rows.ts";
import { ownersIn } from "./migrate/plan-move.ts";
import { replaceRows } from "./migrate/replace-rows.ts";
import type { Part } from "./part.ts";
import { createRedaction } from "./redaction.ts";
import { keeperElsewhere } from "./rows-elsewhere.ts";
import { StartError } from "./start-error.ts";

/** In one step: a copy in several begins again whenever the service writes in between. */
const ALL_PAGES = 0x7fff_ffff;

type ReplayOptions = Pick<HostOptions, "root" | "flags" | "env" | "plugins" | "packages">;

/** A recorded turn of this installation. Only reads, also while the service runs. */
export async function readTurn(traceId: string, options: ReplayOptions = {}): Promise<TurnRecord> {
  const generation = await prepare(options, configured(options));
  return generation.from.get(Replay).read(traceId);
}

/**
 * Runs a recorded turn through the stages of this installation's plugins, on a copy of its documents: nothing listens,
 * nothing is sent, nothing is written.
 */
export async function replayTurn(record: TurnRecord, options: ReplayOptions = {}): Promise<Replayed> {
  const data = mkdtempSync(join(tmpdir(), "parley-replay-"));
  try {
    const part: Part = {
      points: [TurnStages.id, PromptSources.id],
      standIns: [service(Sessions, recordedSessions(record))],
      unstarted: [Replay.id],
    };
    const configuration = configured(options);
    copyFiles(configuration.data, data);
    const aside = { ...inFiles(configuration), data };
    if (keeperElsewhere(configuration) === undefined) await copyDatabase(configuration.data, data);
    else await copyRows(configuration, data, await prepare(options, withPassword(aside), part));
    const generation = await prepare(options, aside, part);
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

function configured({ root = process.cwd(), flags = {}, env = process.env }: ReplayOptions): Configuration {
  return readConfiguration({ root, flags, env });
}

function inFiles(configuration: Configuration): Configuration {
  const isThere = keeperElsewhere(configuration) === undefined;
  return isThere ? configuration : keptBy(configuration, FIRST_PARTY.storage as string);
}

/** The administrator of a database that has none: given, it is not told. */
function withPassword(configuration: Configuration): Configuration {
  return { ...configuration, environment: { ...configuration.environment, SVC_ADMIN_PASSWORD: randomUUID() } };
}

/** Everything loaded and registered, nothing started. */
async function prepare(options: ReplayOptions, configuration: Configuration, part?: Part): Promise<Generation> {
  const redaction = createRedaction();
  const logging = createLogging({ level: "error", format: "pretty", folder: undefined, redaction });
  const { log } = logging;
  const parts = {
    control: idleControl("a replay"),
    redaction,
    logging,
    events: createLiveEvents(log),
    egress: NO_EGRESS,
  };
  const generation = createGeneration({
    loaded: await load(configuration, options),
    services: hostServices(configuration, parts),
    log,
    ...(part && { part }),
  });
  const problems = [...configuration.problems, ...generation.problems];
  if (problems.length > 0) throw new StartError(problems);
  return generation;
}

/** What people and plugins keep, but no logs and no secrets. */
function copyFiles(from: string, to: string): void {
  if (!existsSync(from)) return;
  // Who uses the folder and which databases lie in it is not so of a copy.
  const ofTheFolder = ["instance.json", "databases.json"];
  for (const file of readdirSync(from)) {
    if (file.endsWith(".json") && !ofTheFolder.includes(file)) copyFileSync(join(from, file), join(to, file));
  }
}

/** The database as it is at one instant. */
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

/** The same of a server, but only the tables that a turn works with: those that its plugins make when they start. */
async function copyRows(configuration: Configuration, data: string, tables: Generation): Promise<void> {
  await tables.start();
  const texts = tables.from.find(TextIndex);
  await makeSpaces(texts, await readStored(configuration, ({ main }) => ownersIn(main)));
  await tables.dispose();
  await using copy = await openRows({ ...inFiles(configuration), data });
  await replaceRows(configuration, copy.databases.main, texts);
}

/** The one session of a record; what a replayed turn would change of it is refused. */
function recordedSessions({ session, history, userMessage }: TurnRecord): Sessions {
  const is = (idOrKey: string) => idOrKey === session.id || idOrKey === session.key;
  const said = [...history, ...(userMessage ? [userMessage] : [])];
  const refuse = async () => {
    throw new AppError("unavailable", "a replay has one recorded session and changes none");
  };
  return {
    find: async (idOrKey) => (is(idOrKey) ? session : undefined),
    messagesById: async (ids) => said.filter(({ id }) => ids.includes(id)),
    storedMessages: (ids) => said.filter(({ id }) => ids.includes(id)),
    async get(idOrKey) {
      if (!is(idOrKey)) throw notFound("session", idOrKey);
      return session;
    },
    openFor: async () => session,
    openOwn: async () => session,
    list: async (query) => listOf([session], query),
    messages: async (_id, query) => listOf(said, query),
    history: async (_id, limit) => said.slice(-limit),
    // The recorded prompt has it.
    customPrompt: async () => "",
    // A title is given beside the turn: it is no part of it.
    nameAutomatically: async () => {},
    boundTo: async () => [],
    counts: async () => [],
    activeSince: async () => 0,
    clear: refuse,
    record: refuse,
    adopt: refuse,
    chat: refuse,
    regenerate: refuse,
    create: refuse,
    useModel: refuse,
    published: refuse,
    attach: refuse,
    giveVoice: refuse,
  };
}

const reachesNobody = async (): Promise<never> => {
  throw new AppError("unavailable", "a replay reaches nobody");
};
const NO_EGRESS: Egress = { fetch: () => reachesNobody, check: reachesNobody };
