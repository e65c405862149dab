import Joi from "@hapi/joi";
import { findNearestWord, joinLocalized, type Localized } from "@parley/core";
import { parseNetworks } from "@parley/core/http";
import { sentence, verbatim } from "../sentences.ts";

const ON = ["on", "yes", "true", "1"];
const OFF = ["off", "no", "false", "0"];

/** Parses a switch of config.ini or the environment, ignoring case; undefined for anything else. */
export function parseSwitch(written: string): boolean | undefined {
  const word = written.trim().toLowerCase();
  return ON.includes(word) ? true : OFF.includes(word) ? false : undefined;
}

const textSchema = Joi.string().allow("");
const switchSchema = createTextSchema(sentence("a_switch"), (value) => parseSwitch(value) !== undefined);
const portSchema = createTextSchema(sentence("a_port"), (value) => /^\d{1,5}$/.test(value) && Number(value) < 65_536);
const webAddressSchema = createTextSchema(sentence("an_address"), isWebAddress);
const addressListSchema = createListSchema(sentence("an_ip"), (value) => parseNetworks(value).wrong.length === 0);
const originListSchema = createListSchema(sentence("an_origin"), isOrigin);
const createWordSchema = (...words: readonly string[]) =>
  createTextSchema(joinLocalized(words, "alternatives"), (value) => words.includes(value));

/** Sections of config.ini that belong to no plugin. */
const SECTIONS: Readonly<Record<string, Readonly<Record<string, Joi.Schema>>>> = {
  web: {
    host: textSchema,
    port: portSchema,
    public_base_url: webAddressSchema,
    trusted_proxies: addressListSchema,
    cors_origins: originListSchema,
    allowed_hosts: textSchema,
  },
  gateway: { data_dir: textSchema, storage_enabled: switchSchema, record_turns: switchSchema },
  mcp: {
    enabled: switchSchema,
    only: switchSchema,
    transport: createWordSchema("stdio", "streamable-http"),
    host: textSchema,
    port: portSchema,
    admin: switchSchema,
    send_message_enabled: switchSchema,
    register_node_enabled: switchSchema,
    submit_task_enabled: switchSchema,
    retry_require_confirmation: switchSchema,
    audit_enabled: switchSchema,
    http_auth: createWordSchema("required", "off_on_loopback"),
    allowed_hosts: textSchema,
    connect_url: webAddressSchema,
  },
  mcp_client: { allowed_commands: textSchema, pass_env: textSchema, "server.*": textSchema },
  log: {
    level: createWordSchema("debug", "info", "warn", "error"),
    format: createWordSchema("pretty", "json"),
    file: switchSchema,
  },
  telemetry: { otlp_url: webAddressSchema, service_name: textSchema },
};

interface Variable {
  readonly schema: Joi.Schema;
  /** Words for true and false that the reader of the variable expects. */
  readonly words?: readonly [string, string];
  /** True when an invalid value switches the variable off with a warning, instead of stopping the start. */
  readonly isOptional?: true;
}

/** Environment variables of the service. */
const VARIABLES: Readonly<Record<string, Variable>> = {
  SVC_CONFIG: { schema: textSchema },
  SVC_DATA_DIR: { schema: textSchema },
  SVC_HOST: { schema: textSchema },
  SVC_PORT: { schema: portSchema },
  SVC_ADMIN_USER: { schema: textSchema },
  SVC_ADMIN_PASSWORD: { schema: textSchema },
  SVC_SECRET_KEY: { schema: textSchema },
  SVC_SECURE_COOKIES: { schema: switchSchema, words: ["1", "0"] },
  SVC_STICKER_ENABLED: { schema: switchSchema, words: ["true", "false"], isOptional: true },
  SVC_STICKER_PROBABILITY: { schema: textSchema },
  SVC_STICKER_API_URL: { schema: textSchema },
  SVC_WEBHOOK_SECRET: { schema: textSchema },
  SVC_FAILPOINT: { schema: textSchema },
  SVC_TEST: { schema: textSchema },
};

export interface Findings {
  /** Errors that stop the start. */
  readonly problems: Localized[];
  /** Unknown entries: a warning at the start, a problem for `check`. */
  readonly unknown: Localized[];
  /** Mistakes that do not prevent a start. */
  readonly warnings: Localized[];
}

type SectionTexts = Readonly<Record<string, string>>;

/** Normalizes the switches of the host's sections to `true` or `false`; adds problems to the findings. */
export function checkSections(
  sections: Readonly<Record<string, SectionTexts>>,
  findings: Findings,
): Readonly<Record<string, SectionTexts>> {
  const checkedSections = Object.entries(sections).map(([name, section]) => {
    const keys = SECTIONS[name];
    if (keys) return [name, checkSection(name, section, keys, findings)] as const;
    findings.unknown.push(describeUnknownEntry(`[${name}]`, suggestName(name, Object.keys(SECTIONS))));
    return [name, section] as const;
  });
  return Object.fromEntries(checkedSections);
}

function checkSection(
  name: string,
  section: SectionTexts,
  keys: Readonly<Record<string, Joi.Schema>>,
  findings: Findings,
): SectionTexts {
  const values = Object.entries(section).flatMap(([key, value]) => {
    const schema = keys[key] ?? keys[key.replace(/\..+$/, ".*")];
    if (!schema) {
      findings.unknown.push(describeUnknownEntry(`[${name}] ${key}`, suggestName(key, Object.keys(keys))));
      return [[key, value] as const];
    }
    // A key without a value gets its default.
    if (value === "" && schema !== textSchema) return [];
    const { error } = schema.validate(value);
    if (error)
      findings.problems.push(sentence("entry_wrong", { place: `[${name}] ${key}`, wrong: describeProblem(error) }));
    return [[key, isSwitch(schema) ? String(parseSwitch(value) ?? value) : value] as const];
  });
  return Object.fromEntries(values);
}

/** Returns the environment with every switch in the words that its reader expects. */
export function checkVariables(
  environment: Readonly<Record<string, string | undefined>>,
  findings: Findings,
): Readonly<Record<string, string | undefined>> {
  const known = Object.keys(VARIABLES);
  const checkedValues = Object.entries(environment).map(([name, value]) => {
    const variable = VARIABLES[name];
    if (!variable) {
      const near = /^SVC_(?!WEBHOOK_)/.test(name) ? findNearestWord(name, known) : undefined;
      if (near) findings.unknown.push(sentence("variable_unknown", { name, meant: sentence("meant", { near }) }));
      return [name, value] as const;
    }
    if (value === undefined || value === "") return [name, value] as const;
    const { error } = variable.schema.validate(value);
    if (error && variable.isOptional)
      findings.warnings.push(sentence("variable_off", { name, wrong: describeProblem(error) }));
    else if (error) findings.problems.push(sentence("variable_wrong", { name, wrong: describeProblem(error) }));
    return [name, variable.words?.[parseSwitch(value) ? 0 : 1] ?? value] as const;
  });
  return Object.fromEntries(checkedValues);
}

/** Converts the switches in a plugin's settings to the values its schema accepts. */
export function convertSwitches(schema: Joi.ObjectSchema, settings: Readonly<Record<string, unknown>>): object {
  const { keys = {} } = schema.describe() as { readonly keys?: Readonly<Record<string, { readonly type?: string }>> };
  const values = Object.entries(settings).map(([key, value]) => {
    const isOnOff = keys[key]?.type === "boolean" && typeof value === "string";
    return [key, isOnOff ? (parseSwitch(value) ?? value) : value] as const;
  });
  return Object.fromEntries(values);
}

/** Joi's message for an invalid switch. */
export const SWITCH_MESSAGES = { "boolean.base": `{{#label}}: '{{#value}}' is not ${sentence("a_switch").en}` };

/** Returns a "did you mean" suggestion as the end of a sentence; empty without a near name. */
export function suggestName(written: string, known: readonly string[]): Localized {
  const near = findNearestWord(written, known);
  return near === undefined ? verbatim("") : sentence("meant", { near });
}

export function describeUnknownEntry(place: string, meant: Localized = verbatim("")): Localized {
  return sentence("entry_unknown", { place, meant });
}

/** Describes a validation problem of a text value. */
function describeProblem({ details: [first], message }: Joi.ValidationError): Localized {
  const { value, wrong = value, allowed } = (first?.context ?? {}) as ProblemContext;
  return allowed ? sentence("value_wrong", { value: String(wrong), allowed }) : verbatim(message);
}

interface ProblemContext {
  readonly value?: string;
  /** The invalid part of the value. */
  readonly wrong?: string;
  readonly allowed?: Localized;
}

function createTextSchema(allowed: Localized, isAllowed: (value: string) => boolean): Joi.StringSchema {
  return Joi.string().custom((value: string, helpers) =>
    isAllowed(value) ? value : helpers.error("any.custom", { allowed }),
  );
}

/** Creates a schema for a list with commas; its message names the invalid entry. */
function createListSchema(allowed: Localized, isAllowed: (value: string) => boolean): Joi.StringSchema {
  return Joi.string().custom((value: string, helpers) => {
    const wrong = value
      .split(",")
      .map((part) => part.trim())
      .find((part) => part !== "" && !isAllowed(part));
    return wrong === undefined ? value : helpers.error("any.custom", { wrong, allowed });
  });
}

function isSwitch(schema: Joi.Schema): boolean {
  return schema === switchSchema;
}

function isWebAddress(value: string): boolean {
  return /^https?:$/.test(URL.parse(value)?.protocol ?? "");
}

function isOrigin(value: string): boolean {
  return URL.parse(value)?.origin === value.replace(/\/$/, "");
}
