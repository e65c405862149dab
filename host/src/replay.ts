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
  type TurnRecord,
  TurnStages,
} from "@parley/core";
import { type Configuration, readConfiguration } from "./configuration.ts";
import { createGeneration, type Generation } from "./generation.ts";
import { type HostOptions, load } from "./host-options.ts";
import { hostServices, service } from "./host-services.ts";
import { idleControl } from "./idle-control.ts";
import { createLiveEvents } from "./live-events.ts";
import { createLogging } from "./logging.ts";
import type { Part } from "./part.ts";
import { createRedaction } from "./redaction.ts";
import { refuseElsewhere } from "./rows-elsewhere.ts";
import { StartError } from "./start-error.ts";

/** In one step: a copy in several begins again whenever the service writes in between. */
const ALL_PAGES = 0x7fff_ffff;

type ReplayOptions = Pick<HostOptions, "root" | "flags" | "env" | "plugins" | "packages">;

/** A recorded turn of this installation. Only reads, also while the service runs. */
export async function readTurn(traceId: string, options: ReplayOptions = {}): Promise<TurnRecord> {
  const { generation } = await prepare(options, (configuration) => configuration);
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
    const { generation, configuration } = await prepare(options, (own) => ({ ...own, data }), part);
    await copyDocuments(configuration.data, data);
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

interface Prepared {
  readonly generation: Generation;
  readonly configuration: Configuration;
}

/** Everything loaded and registered, nothing started. */
async function prepare(
  options: ReplayOptions,
  adapt: (configuration: Configuration) => Configuration,
  part?: Part,
): Promise<Prepared> {
  const source = { root: options.root ?? process.cwd(), flags: options.flags ?? {}, env: options.env ?? process.env };
  const configuration = readConfiguration(source);
  refuseElsewhere(configuration, "turns are run again from");
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
    services: hostServices(adapt(configuration), parts),
    log,
    ...(part && { part }),
  });
  const problems = [...configuration.problems, ...generation.problems];
  if (problems.length > 0) throw new StartError(problems);
  return { generation, configuration };
}

/** What people and plugins keep, but no logs and no secrets; the database as it is at one instant. */
async function copyDocuments(from: string, to: string): Promise<void> {
  if (!existsSync(from)) return;
  // Who uses the folder and which databases lie in it is not so of a copy.
  const ofTheFolder = ["instance.json", "databases.json"];
  for (const file of readdirSync(from)) {
    if (file.endsWith(".json") && !ofTheFolder.includes(file)) copyFileSync(join(from, file), join(to, file));
  }
  const main = join(from, "parley.db");
  if (!existsSync(main)) return;
  const database = new DatabaseSync(main, { readOnly: true, timeout: 5_000 });
  try {
    await backup(database, join(to, "parley.db"), { rate: ALL_PAGES });
  } finally {
    database.close();
  }
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
