import type { Cache, ChannelConfig, ChannelIo, Clock, InstalledLibraries } from "@parley/core";
import { rejectAfter, resolveWithin } from "@parley/core/async";
import type { GatewaySession } from "../discord/gateway-socket.ts";
import { createChatInstance } from "../inbound/chat-instance.ts";
import { currentWork } from "../inbound/request-work.ts";
import { createMemoryState } from "../sdk/memory-state.ts";
import { findMissingMethod, isSdkAdapter, type SdkAdapter } from "../sdk/sdk-adapter.ts";
import { createSdkLogger } from "../sdk/sdk-logger.ts";
import { chatSdkTexts } from "../texts.ts";
import { runWithNetwork } from "./package-network.ts";
import type { ServedPackage } from "./served-packages.ts";
import { createSlackTransport } from "./slack-transport.ts";

const OPEN_MS = 20_000;
const CLOSE_MS = 2_000;

export interface OpenAdapterDeps {
  readonly libraries: InstalledLibraries;
  readonly clock: Clock;
  /** Sessions of connections, which the next one resumes. */
  readonly sessions: Cache<GatewaySession>;
  /** First and maximum delay between two attempts to connect. */
  readonly backoffMs?: readonly [first: number, most: number];
}

/** Functions of the service that an adapter package gets. */
export type AdapterIo = Pick<ChannelIo, "accept" | "fetch" | "log">;

/** An adapter that was made and connected. */
export interface OpenAdapter {
  readonly adapter: SdkAdapter;
  /** Latest problem that the package reported while it was connected. */
  readonly problem: () => string;
  /** Forgets keys of its state. */
  forget(keys: ReadonlySet<string>): void;
  close(): Promise<void>;
}

/** Imports the package, makes its adapter with these options and connects it. Rejects with a localized error that names the package. */
export async function openAdapter(
  { libraries, clock }: OpenAdapterDeps,
  served: ServedPackage,
  { channel, io, options }: { channel: Pick<ChannelConfig, "id">; io: AdapterIo; options: object },
): Promise<OpenAdapter> {
  const name = served.package;
  let problem = "";
  const logger = createSdkLogger(io.log, (words) => {
    problem = words;
  });
  const create = findFactory(await libraries.import(name), served);
  const made = attempt(name, () => create({ ...options, ...createTransport(served, io), logger }));
  if (!isSdkAdapter(made))
    throw chatSdkTexts.error("unavailable", "no_adapter", { name, missing: findMissingMethod(made) ?? "" });
  served.known?.prepare?.(made, io.fetch);
  const state = createMemoryState(clock, (key) => currentWork.getStore()?.note(key));
  let botNames: readonly string[] = [];
  const chat = createChatInstance({
    ...{ channel, io, state, logger, known: served.known },
    botNames: () => botNames,
  });
  const initializing = Promise.resolve(attempt(name, () => runWithNetwork(io.fetch, () => made.initialize(chat))));
  await rejectAfter(initializing, OPEN_MS, () => chatSdkTexts.error("timed_out", "late", { name })).catch(
    (error: unknown) => {
      throw toPackageError(name, error);
    },
  );
  botNames = await runWithNetwork(io.fetch, () => findBotNames(made));
  return {
    adapter: made,
    problem: () => problem,
    forget: (keys) => keys.forEach((key) => void state.delete(key)),
    async close() {
      const closing = Promise.resolve(made.disconnect?.());
      await rejectAfter(closing, CLOSE_MS, () => chatSdkTexts.error("timed_out", "late", { name })).catch(
        (error: unknown) => io.log.warn("an adapter package could not be closed", { error }),
      );
    },
  };
}

function createTransport({ word }: ServedPackage, io: AdapterIo): object {
  return word === "slack" ? createSlackTransport(io) : {};
}

type Factory = (options: object) => unknown;

/** Returns the function that makes a package's adapter: `createSlackAdapter` for `slack`, else the only one named so. */
function findFactory(library: Readonly<Record<string, unknown>>, { word, package: name }: ServedPackage): Factory {
  const factories = Object.entries(library).filter(
    (entry): entry is [string, Factory] => /^create\w+Adapter$/.test(entry[0]) && typeof entry[1] === "function",
  );
  const wanted = `create${word.replaceAll("-", "")}adapter`;
  const own = factories.find(([key]) => key.toLowerCase() === wanted) ?? factories[0];
  if (!own) throw chatSdkTexts.error("unavailable", "no_adapter", { name, missing: "create…Adapter" });
  return own[1];
}

function attempt<Result>(name: string, call: () => Result): Result {
  try {
    return call();
  } catch (error) {
    throw toPackageError(name, error);
  }
}

function toPackageError(name: string, error: unknown): Error {
  const words = error instanceof Error ? error.message : String(error);
  return chatSdkTexts.error("unavailable", "failed", { name, words }, { cause: error });
}

const USER_MS = 3_000;

/** Returns the bot's id and names; a longer name comes first, since it may begin with another. */
async function findBotNames(adapter: SdkAdapter): Promise<readonly string[]> {
  const { botUserId, userName } = adapter;
  const asking = typeof botUserId === "string" ? adapter.getUser?.(botUserId) : undefined;
  // Without an answer a mention stays in the text, which the model understands too.
  const user = await resolveWithin(Promise.resolve(asking), USER_MS).catch(() => undefined);
  const fields = typeof user === "object" && user !== null ? Object.values(user) : [];
  const names = [botUserId, userName, ...fields].filter((name) => typeof name === "string" && name !== "");
  return [...new Set(names.map(String))].sort((one, other) => other.length - one.length);
}
