import Joi from "@hapi/joi";
import { type Common, listQuery, type Page } from "@parley/core";

export type EntryTransport = "stdio" | "streamable-http";

/** What an administrator sets of an external server (contract mcp-servers §1). */
export interface EntryFields {
  readonly name: string;
  readonly transport: EntryTransport;
  readonly description: string;
  readonly enabled: boolean;
  readonly auto_connect: boolean;
  readonly url: string;
  /** Header → name of the variable with its value. */
  readonly headers_env: Readonly<Record<string, string>>;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly env_names: readonly string[];
  readonly timeout_s: number;
  readonly tool_allow: readonly string[];
  readonly tool_deny: readonly string[];
  /** A person is asked at each call of these, `*`: of all. Wins over `trusted_tools`. */
  readonly confirm_tools: readonly string[];
  /** Called unasked although they may change something, `*`: all. A field of ours. */
  readonly trusted_tools: readonly string[];
}

export type Entry = Common & EntryFields;

export interface ServerInfo {
  readonly name: string;
  readonly version: string;
  readonly protocol_version: string;
}

/** An entry with how it is. */
export interface ShownEntry extends Entry {
  readonly connection_state: "connected" | "disconnected";
  readonly connected: boolean;
  /** Not connected yet: an attempt is under way. A field of ours. */
  readonly connecting: boolean;
  readonly tool_count: number;
  readonly server_info: ServerInfo | null;
  readonly last_connected_at: string | null;
  readonly last_error: string | null;
  readonly warnings: readonly string[];
  readonly builtin: boolean;
}

export type EntryDraft = Pick<EntryFields, "name" | "transport"> & Partial<EntryFields> & { readonly id?: string };
export type EntryPatch = Partial<EntryFields> & { readonly id?: string };

export interface EntryQuery extends Page {
  readonly transport?: EntryTransport;
  readonly connection_state?: ShownEntry["connection_state"];
}

export const BUILTIN_ID = "_builtin_local_mcp";

const names = Joi.array().items(Joi.string().min(1).max(200)).max(500);
const settable = {
  name: Joi.string().trim().normalize("NFC").min(1).max(100),
  transport: Joi.string().valid("stdio", "streamable-http"),
  description: Joi.string().allow("").max(4000),
  enabled: Joi.boolean(),
  auto_connect: Joi.boolean(),
  url: Joi.string().allow("").max(2000),
  headers_env: Joi.object()
    .pattern(/^[A-Za-z0-9-]{1,100}$/, Joi.string().max(128))
    .max(20),
  command: Joi.string().allow("").max(500),
  args: Joi.array().items(Joi.string().allow("").max(4000)).max(50),
  env: Joi.object().pattern(Joi.string().max(128), Joi.string().allow("").max(4000)).max(50),
  env_names: Joi.array().items(Joi.string().max(128)).max(50),
  timeout_s: Joi.number().integer().min(1).max(600),
  tool_allow: names,
  tool_deny: names,
  confirm_tools: names,
  trusted_tools: names,
};
/** Sent back as they were shown: ignored. */
const shown = {
  created_at: Joi.any(),
  updated_at: Joi.any(),
  revision: Joi.any(),
  connection_state: Joi.any(),
  connected: Joi.any(),
  connecting: Joi.any(),
  tool_count: Joi.any(),
  server_info: Joi.any(),
  last_connected_at: Joi.any(),
  last_error: Joi.any(),
  warnings: Joi.any(),
  builtin: Joi.any(),
};
const readOnly = Object.fromEntries(Object.entries(shown).map(([key, any]) => [key, any.strip()]));

export const entryDraft = Joi.object<EntryDraft>({
  ...settable,
  ...readOnly,
  name: settable.name.required(),
  transport: settable.transport.required(),
  // The underscore in front is kept for entries of the service itself; two of them separate the parts of a tool's name.
  id: Joi.string()
    .pattern(/^(?!.*__)[A-Za-z0-9-][A-Za-z0-9_-]{1,39}$/, { name: "id" })
    .message("must be 2 to 40 characters A-Z a-z 0-9 _ -, without __ and not beginning with _"),
});
export const entryPatch = Joi.object<EntryPatch>({ ...settable, ...readOnly, id: Joi.string() });
export const entryQuery = listQuery<EntryQuery>({
  transport: settable.transport,
  connection_state: Joi.string().valid("connected", "disconnected"),
});

export const DEFAULTS: Omit<EntryFields, "name" | "transport"> = {
  description: "",
  enabled: true,
  auto_connect: false,
  url: "",
  headers_env: {},
  command: "",
  args: [],
  env: {},
  env_names: [],
  timeout_s: 30,
  tool_allow: [],
  tool_deny: [],
  confirm_tools: [],
  trusted_tools: [],
};

/** Which tools were looked at; absent: all that the server has now. */
export interface AcceptTools {
  readonly tools?: readonly string[];
}
export const acceptBody = Joi.object<AcceptTools>({ tools: names });

/** What makes a new connection necessary when it changes. */
export const CONNECTION_FIELDS = ["transport", "url", "headers_env", "command", "args", "env", "env_names"] as const;
