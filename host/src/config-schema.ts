import Joi from "@hapi/joi";
import { type Localized, nearestWord, networksOf } from "@parley/core";
import { sentence, verbatim } from "./sentences.ts";

const ON = ["on", "yes", "true", "1"];
const OFF = ["off", "no", "false", "0"];

/** What every switch of config.ini and of the environment may say, in any case; undefined for anything else. */
export function switchOf(text: string): boolean | undefined {
  const word = text.trim().toLowerCase();
  return ON.includes(word) ? true : OFF.includes(word) ? false : undefined;
}

const text = Joi.string().allow("");
const onOff = checked(sentence("a_switch"), (value) => switchOf(value) !== undefined);
const port = checked(sentence("a_port"), (value) => /^\d{1,5}$/.test(value) && Number(value) < 65_536);
const webAddress = checked(sentence("an_address"), isWebAddress);
const addresses = each(sentence("an_ip"), (value) => networksOf(value).wrong.length === 0);
const origins = each(sentence("an_origin"), isOrigin);
const oneOf = (...words: readonly string[]) =>
  checked({ en: words.join(" or "), zh: ` ${words.join(" 或 ")}` }, (value) => words.includes(value));

/** The sections of config.ini that are not a plugin's own. */
const SECTIONS: Readonly<Record<string, Readonly<Record<string, Joi.Schema>>>> = {
  web: {
    host: text,
    port,
    public_base_url: webAddress,
    trusted_proxies: addresses,
    cors_origins: origins,
    allowed_hosts: text,
  },
  gateway: { data_dir: text, storage_enabled: onOff, record_turns: onOff },
  mcp: {
    enabled: onOff,
    only: onOff,
    transport: oneOf("stdio", "streamable-http"),
    host: text,
    port,
    admin: onOff,
    send_message_enabled: onOff,
    register_node_enabled: onOff,
    submit_task_enabled: onOff,
    retry_require_confirmation: onOff,
    audit_enabled: onOff,
    http_auth: oneOf("required", "off_on_loopback"),
    allowed_hosts: text,
    connect_url: webAddress,
  },
  mcp_client: { allowed_commands: text, pass_env: text, "server.*": text },
  log: { level: oneOf("debug", "info", "warn", "error"), format: oneOf("pretty", "json"), file: onOff },
  telemetry: { otlp_url: webAddress, service_name: text },
};

interface Variable {
  readonly schema: Joi.Schema;
  /** A switch is handed on as the first or the second word. */
  readonly words?: readonly [string, string];
  /** A mistake in it switches it off with a warning, and keeps no service down. */
  readonly isOptional?: true;
}

/** Variables of the environment. */
const VARIABLES: Readonly<Record<string, Variable>> = {
  SVC_CONFIG: { schema: text },
  SVC_DATA_DIR: { schema: text },
  SVC_HOST: { schema: text },
  SVC_PORT: { schema: port },
  SVC_ADMIN_USER: { schema: text },
  SVC_ADMIN_PASSWORD: { schema: text },
  SVC_SECRET_KEY: { schema: text },
  SVC_SECURE_COOKIES: { schema: onOff, words: ["1", "0"] },
  SVC_STICKER_ENABLED: { schema: onOff, words: ["true", "false"], isOptional: true },
  SVC_STICKER_PROBABILITY: { schema: text },
  SVC_STICKER_API_URL: { schema: text },
  SVC_WEBHOOK_SECRET: { schema: text },
  SVC_FAILPOINT: { schema: text },
  SVC_TEST: { schema: text },
};

export interface Findings {
  /** What cannot be used: stops the start. */
  readonly problems: Localized[];
  /** What nobody reads: told at the start, a problem for `check`. */
  readonly unknown: Localized[];
  /** Mistakes that a start passes over. */
  readonly warnings: Localized[];
}

type Texts = Readonly<Record<string, string>>;

/** The host's sections with every switch as `true` or `false`; what is wrong is added to the findings. */
export function checkSections(
  sections: Readonly<Record<string, Texts>>,
  findings: Findings,
): Readonly<Record<string, Texts>> {
  const checkedSections = Object.entries(sections).map(([name, section]) => {
    const keys = SECTIONS[name];
    if (keys) return [name, checkSection(name, section, keys, findings)] as const;
    findings.unknown.push(unknownEntry(`[${name}]`, meantBy(name, Object.keys(SECTIONS))));
    return [name, section] as const;
  });
  return Object.fromEntries(checkedSections);
}

function checkSection(
  name: string,
  section: Texts,
  keys: Readonly<Record<string, Joi.Schema>>,
  findings: Findings,
): Texts {
  const values = Object.entries(section).flatMap(([key, value]) => {
    const schema = keys[key] ?? keys[key.replace(/\..+$/, ".*")];
    if (!schema) {
      findings.unknown.push(unknownEntry(`[${name}] ${key}`, meantBy(key, Object.keys(keys))));
      return [[key, value] as const];
    }
    // Nothing behind the sign of equality leaves the default in force.
    if (value === "" && schema !== text) return [];
    const { error } = schema.validate(value);
    if (error) findings.problems.push(sentence("entry_wrong", { place: `[${name}] ${key}`, wrong: wrongIn(error) }));
    return [[key, isSwitch(schema) ? String(switchOf(value) ?? value) : value] as const];
  });
  return Object.fromEntries(values);
}

/** The environment with every switch in the word its reader knows. */
export function checkVariables(
  environment: Readonly<Record<string, string | undefined>>,
  findings: Findings,
): Readonly<Record<string, string | undefined>> {
  const known = Object.keys(VARIABLES);
  const checkedValues = Object.entries(environment).map(([name, value]) => {
    const variable = VARIABLES[name];
    if (!variable) {
      const near = name.startsWith("SVC_") && !name.startsWith("SVC_WEBHOOK_") ? nearestWord(name, known) : undefined;
      if (near) findings.unknown.push(sentence("variable_unknown", { name, meant: sentence("meant", { near }) }));
      return [name, value] as const;
    }
    if (value === undefined || value === "") return [name, value] as const;
    const { error } = variable.schema.validate(value);
    if (error && variable.isOptional) findings.warnings.push(sentence("variable_off", { name, wrong: wrongIn(error) }));
    else if (error) findings.problems.push(sentence("variable_wrong", { name, wrong: wrongIn(error) }));
    return [name, variable.words?.[switchOf(value) ? 0 : 1] ?? value] as const;
  });
  return Object.fromEntries(checkedValues);
}

/** A plugin's settings as they were written, with the words of switches as what its schema takes. */
export function withSwitches(schema: Joi.ObjectSchema, settings: Readonly<Record<string, unknown>>): object {
  const { keys = {} } = schema.describe() as { readonly keys?: Readonly<Record<string, { readonly type?: string }>> };
  const values = Object.entries(settings).map(([key, value]) => {
    const isOnOff = keys[key]?.type === "boolean" && typeof value === "string";
    return [key, isOnOff ? (switchOf(value) ?? value) : value] as const;
  });
  return Object.fromEntries(values);
}

/** Joi's sentence for a value that is no switch. */
export const SWITCH_MESSAGES = { "boolean.base": `{{#label}}: '{{#value}}' is not ${sentence("a_switch").en}` };

/** What somebody may have meant, as the end of a sentence. */
export function meantBy(written: string, known: readonly string[]): Localized {
  const near = nearestWord(written, known);
  return near === undefined ? verbatim("") : sentence("meant", { near });
}

export function unknownEntry(place: string, meant: Localized = verbatim("")): Localized {
  return sentence("entry_unknown", { place, meant });
}

/** What a schema of ours has against a value, which is a text. */
function wrongIn({ details: [first], message }: Joi.ValidationError): Localized {
  const { value, wrong = value, allowed } = (first?.context ?? {}) as Wrong;
  return allowed ? sentence("value_wrong", { value: String(wrong), allowed }) : verbatim(message);
}

interface Wrong {
  readonly value?: string;
  /** The part of it that is wrong. */
  readonly wrong?: string;
  readonly allowed?: Localized;
}

function checked(allowed: Localized, isAllowed: (value: string) => boolean): Joi.StringSchema {
  return Joi.string().custom((value: string, helpers) =>
    isAllowed(value) ? value : helpers.error("any.custom", { allowed }),
  );
}

/** A list with commas; the message names the entry that is wrong. */
function each(allowed: Localized, isAllowed: (value: string) => boolean): Joi.StringSchema {
  return Joi.string().custom((value: string, helpers) => {
    const wrong = value
      .split(",")
      .map((part) => part.trim())
      .find((part) => part !== "" && !isAllowed(part));
    return wrong === undefined ? value : helpers.error("any.custom", { wrong, allowed });
  });
}

function isSwitch(schema: Joi.Schema): boolean {
  return schema === onOff;
}

function isWebAddress(value: string): boolean {
  return /^https?:$/.test(URL.parse(value)?.protocol ?? "");
}

function isOrigin(value: string): boolean {
  return URL.parse(value)?.origin === value.replace(/\/$/, "");
}
