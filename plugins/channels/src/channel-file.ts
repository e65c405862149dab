import { BUILT_IN, NO_CAPABILITIES, type StoredChannel } from "./records.ts";

export interface ChannelFile {
  readonly channels: readonly StoredChannel[];
}

/** `{channels: […]}`, a bare list, or an object by id; what people leave out takes its default. */
export function parseChannels(json: unknown): ChannelFile {
  if (typeof json !== "object" || json === null) throw new Error("must be an object with 'channels'");
  const inner = Array.isArray(json) ? json : "channels" in json ? json.channels : json;
  const list = Array.isArray(inner) ? inner : Object.entries(inner as object).map(([id, row]) => ({ id, ...row }));
  return { channels: list.map(completed) };
}

function completed(row: Partial<StoredChannel>): StoredChannel {
  if (typeof row.id !== "string" || !/^[A-Za-z0-9_-]{2,64}$/.test(row.id)) throw new Error("every channel needs an id");
  const known = BUILT_IN.find(({ id }) => id === row.id);
  const at = new Date(0).toISOString();
  return {
    name: row.id,
    type: "custom",
    transport: "webhook",
    description: "",
    enabled: true,
    config: {},
    created_at: at,
    updated_at: at,
    revision: 1,
    ...known,
    ...row,
    id: row.id,
    builtin: known !== undefined,
    capabilities: { ...NO_CAPABILITIES, ...known?.capabilities, ...row.capabilities },
  };
}

/** What is built in is there, whether or not the file names it. */
export function withBuiltIn(rows: readonly StoredChannel[]): readonly StoredChannel[] {
  const missing = BUILT_IN.filter(({ id }) => !rows.some((row) => row.id === id));
  return [...missing, ...rows];
}

/** Whether what runs is no longer what the row says. */
export function needsAnew(before: StoredChannel, after: StoredChannel): boolean {
  const what = ({ type, transport, enabled, config }: StoredChannel) =>
    JSON.stringify([type, transport, enabled, config]);
  return what(before) !== what(after);
}
