import Joi from "@hapi/joi";
import {
  type ChannelAdapter,
  type ErrorDetail,
  type FieldProblem,
  localizeMessage,
  MIN_DEDUPE_S,
  toFieldProblems,
  withPattern,
} from "@parley/core";
import { RESERVED_CHANNEL_IDS } from "@parley/core/channels";
import { isObject } from "@parley/core/json";
import { BUILT_IN, DEFAULT_TRANSPORTS, NO_CAPABILITIES, PRESETS, type StoredChannel } from "../config/schema.ts";
import { createTransportError } from "../config/validate-channel.ts";
import { channelsTexts } from "../texts.ts";

const MAX_NAME = 100;
const text = Joi.string().allow("");
/** Schema of a channel in the file; only the id is required. */
const CHANNEL_SCHEMA = Joi.object({
  id: withPattern(Joi.string(), /^[A-Za-z0-9_-]{2,64}$/, {
    en: "must be an id of 2 to 64 letters, digits, _ or -",
    zh: "须为 2 至 64 个字母、数字、_ 或 - 组成的 ID",
  })
    .invalid(...RESERVED_CHANNEL_IDS)
    .required(),
  name: text.max(MAX_NAME),
  type: text,
  transport: text,
  description: text,
  enabled: Joi.boolean(),
  config: Joi.object().unknown(),
  capabilities: Joi.object().pattern(Joi.string(), Joi.boolean()),
  created_at: text,
  updated_at: text,
  revision: Joi.number(),
}).unknown();
/** Rejects ids that differ only in case, because people cannot tell them apart. */
const CHANNELS_SCHEMA = Joi.array()
  .items(CHANNEL_SCHEMA)
  .unique((one: { id: string }, other: { id: string }) => one.id.toLowerCase() === other.id.toLowerCase());

export interface ChannelFile {
  readonly channels: readonly StoredChannel[];
}

type Adapters = readonly Pick<ChannelAdapter, "type" | "transports">[];

/** Parses `{channels: […]}`, a bare list, or an object by id; missing fields get their defaults, the transport that of the adapter. */
export function parseChannels(json: unknown, adapters: Adapters): ChannelFile {
  if (typeof json !== "object" || json === null) throw channelsTexts.error("bad_request", "file_shape");
  const inner = Array.isArray(json) ? json : "channels" in json ? json.channels : json;
  if (typeof inner !== "object" || inner === null) throw channelsTexts.error("bad_request", "file_shape");
  const list = Array.isArray(inner)
    ? inner
    : Object.entries(inner as object).map(([id, row]) => (isObject(row) ? { id, ...row } : row));
  const { error } = CHANNELS_SCHEMA.validate(list, { convert: false, errors: { label: false } });
  if (error) throwFirst(toFieldProblems(error, "channels"));
  const channels = list.map((row) => completeChannel(row, adapters));
  throwFirst(channels.flatMap((row, at) => listTransportProblems(row, at, adapters)));
  return { channels };
}

/** Throws the first of the problems, if any, with the place of its value. */
function throwFirst([first]: readonly FieldProblem[]): void {
  if (!first) return;
  const { field: _, ...problem } = first;
  const reason = localizeMessage(first.error, problem);
  throw channelsTexts.error("bad_request", "file_row", { field: first.field ?? "channels", reason });
}

/** Types that this plugin itself provides, which need no adapter. */
const OWN_TYPES: ReadonlySet<string> = new Set([
  "custom",
  ...[...BUILT_IN, ...PRESETS.map(({ channel }) => channel)].map(({ type }) => type),
]);

/** Returns the problem of a transport that the type does not have; transports of uninstalled types are not checked. */
function listTransportProblems(
  { type, transport }: StoredChannel,
  at: number,
  adapters: Adapters,
): readonly FieldProblem[] {
  const own = OWN_TYPES.has(type) ? DEFAULT_TRANSPORTS : undefined;
  const transports = adapters.find((one) => one.type === type)?.transports ?? own;
  if (!transports || transports.includes(transport)) return [];
  const { message: error, detail } = createTransportError(type, transports);
  return [{ ...(detail as ErrorDetail), error, field: `channels.${at}.transport` }];
}

function completeChannel(row: Partial<StoredChannel> & Pick<StoredChannel, "id">, adapters: Adapters): StoredChannel {
  const builtInChannel = BUILT_IN.find(({ id }) => id === row.id);
  const adapter = adapters.find(({ type }) => type === row.type);
  const at = new Date(0).toISOString();
  return {
    name: row.id,
    type: "custom",
    transport: adapter?.transports[0] ?? "webhook",
    description: "",
    enabled: true,
    created_at: at,
    updated_at: at,
    revision: 1,
    ...builtInChannel,
    ...row,
    id: row.id,
    config: raiseDedupeTime(row.config ?? builtInChannel?.config ?? {}),
    builtin: builtInChannel !== undefined,
    capabilities: { ...NO_CAPABILITIES, ...builtInChannel?.capabilities, ...row.capabilities },
  };
}

/** Raises a time below the minimum, which earlier versions stored and counted as the minimum. */
function raiseDedupeTime(config: StoredChannel["config"]): StoredChannel["config"] {
  const { dedupe_ttl_s: time } = config;
  return typeof time === "number" && time < MIN_DEDUPE_S ? { ...config, dedupe_ttl_s: MIN_DEDUPE_S } : config;
}

/** Adds missing built-in channels to the rows. */
export function withBuiltIn(rows: readonly StoredChannel[]): readonly StoredChannel[] {
  const missing = BUILT_IN.filter(({ id }) => !rows.some((row) => row.id === id));
  return [...missing, ...rows];
}

/** Returns true when a change requires a reconnect. */
export function needsReconnect(before: StoredChannel, after: StoredChannel): boolean {
  const toFingerprint = ({ type, transport, enabled, config }: StoredChannel) =>
    JSON.stringify([type, transport, enabled, config]);
  return toFingerprint(before) !== toFingerprint(after);
}
