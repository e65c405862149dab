import Joi, { type ObjectSchema, type Schema } from "@hapi/joi";
import { withLabel } from "@parley/core";
import { parseJsonObject } from "@parley/core/json";
import { chatSdkTexts } from "../texts.ts";
import type { KnownPackage, PackageOption } from "./known-packages.ts";

type Config = Readonly<Record<string, unknown>>;
type ReadSecret = (variable: string) => string | undefined;

/** Options for an adapter's constructor, or the variable that has no value. */
export type AdapterOptions = { readonly options: Config } | { readonly missing: string };

/** Settings of a package, and how its adapter's options come from them. */
export interface PackageSettings {
  readonly schema: ObjectSchema;
  read(config: Config, secret: ReadSecret): AdapterOptions;
}

/** Creates the form of a known package from its options. */
export function createKnownSettings({ options }: KnownPackage): PackageSettings {
  return {
    schema: Joi.object(Object.fromEntries(options.map((option) => [toKey(option), toField(option)]))),
    read(config, secret) {
      const given: Record<string, unknown> = {};
      for (const option of options) {
        const value = config[toKey(option)];
        const resolved = option.variable === undefined ? value : secret(String(value ?? ""));
        if (resolved !== undefined && resolved !== "") given[option.name] = toValue(option, resolved);
        else if (option.isRequired) return { missing: String(value || option.variable) };
      }
      return { options: given };
    },
  };
}

/** Returns an option's value; throws `unavailable` for one that has to be a JSON object and is none. */
function toValue({ kind, variable = "" }: PackageOption, resolved: unknown): unknown {
  if (kind !== "json") return resolved;
  const value = parseJsonObject(String(resolved));
  if (value === undefined) throw chatSdkTexts.error("unavailable", "not_json", { variable });
  return value;
}

/** Creates the form of any other package: its options as one object. */
export function createOtherSettings(): PackageSettings {
  return {
    schema: Joi.object({
      options: withLabel(Joi.object().unknown().default({}), {
        title: { en: "Options", zh: "选项" },
        help: {
          en: "The adapter's options by its own names. A secret is the name of a variable in <option>_env",
          zh: "适配器的选项，使用其自身名称；密钥以 <选项>_env 填写环境变量名",
        },
      }),
    }),
    read: (config, secret) => resolveSecrets(config.options, secret),
  };
}

/** Replaces each `<name>_env` by the option `<name>` with the variable's value. */
function resolveSecrets(given: unknown, secret: ReadSecret): AdapterOptions {
  const entries = typeof given === "object" && given !== null ? Object.entries(given) : [];
  const options: Record<string, unknown> = {};
  for (const [key, value] of entries) {
    const name = key.replace(/_env$/, "");
    const variable = name === key ? "" : String(value);
    const resolved = variable === "" ? value : secret(variable);
    if (variable !== "" && !resolved) return { missing: variable };
    options[name] = resolved;
  }
  return { options };
}

const toKey = ({ name, variable }: PackageOption) => (variable === undefined ? name : `${name}_env`);

function toField({ variable, kind, title, help }: PackageOption): Schema {
  if (kind === "flag") return withLabel(Joi.boolean().default(false), { title, help });
  const text = Joi.string().allow("");
  const schema =
    kind === "address"
      ? Joi.string()
          .uri({ scheme: ["https", "http"] })
          .allow("")
      : text;
  return withLabel(variable === undefined ? schema : text.default(variable), { title, help });
}
