import type { ObjectSchema } from "@hapi/joi";
import {
  ChannelAdapters,
  ChatCommands,
  COMMAND_CATEGORIES,
  ConsoleAreas,
  type DefinedPlugin,
  type ExtensionPoint,
  type Localized,
  Resources,
  type Route,
  RouteTables,
  routeName,
  SettingDefinitions,
} from "@parley/core";
import { meantBy } from "./config-schema.ts";
import type { Generation } from "./generation.ts";
import { sentence } from "./sentences.ts";

/** A mistake in what a plugin adds that neither types nor schemas show. */
export interface AdditionFinding {
  readonly plugin: string;
  readonly text: Localized;
}

/** Names of fields that hold a secret. */
const SECRET_NAME = /(^|_)(token|secret|password|api_?key|private_?key)$/i;
const EXAMPLE_CHANNEL = "example";

/** Looks at what plugins add, without a start: commands nobody finds, pages and webhooks no row serves, secrets in the open. */
export function additionFindings(
  generation: Pick<Generation, "unstarted">,
  plugins: readonly DefinedPlugin[],
): readonly AdditionFinding[] {
  const added = <T>(point: ExtensionPoint<T>) =>
    generation.unstarted(point).flatMap((one) => ("made" in one ? [{ plugin: one.plugin, made: one.made }] : []));
  const rows = added(RouteTables).flatMap(({ made }) => made);
  const found = <T>(point: ExtensionPoint<T>, examine: (made: T) => readonly Localized[]) =>
    added(point).flatMap(({ plugin, made }) => examine(made).map((text) => ({ plugin, text })));
  return [
    ...found(ChatCommands, ({ name, category }) => categoryFindings(name, category)),
    ...found(RouteTables, (table) => table.flatMap(rawFindings)),
    ...found(ConsoleAreas, ({ id, view }) =>
      view.kind === "module" && !isServed(rows, "GET", view.url)
        ? [sentence("area_unserved", { id, url: view.url })]
        : [],
    ),
    ...found(ChannelAdapters, ({ type, webhookPath }) => webhookFindings(rows, type, webhookPath?.(EXAMPLE_CHANNEL))),
    ...found(ChannelAdapters, ({ type, settings }) =>
      openSecrets(settings).map((field) => sentence("channel_secret", { type, field })),
    ),
    ...found(Resources, ({ kind, fields, secret = [] }) =>
      Object.keys(fields)
        .filter((field) => SECRET_NAME.test(field) && !(secret as readonly string[]).includes(field))
        .map((field) => sentence("resource_secret", { kind, field })),
    ),
    ...found(SettingDefinitions, ({ key }) =>
      SECRET_NAME.test(key.split(".").at(-1) ?? "") ? [sentence("setting_secret", { key })] : [],
    ),
    ...plugins.flatMap(({ id, config }) =>
      (config ? openSecrets(config) : []).map((field) => ({
        plugin: id,
        text: sentence("plugin_secret", { id, field }),
      })),
    ),
  ];
}

function categoryFindings(name: string, category: string): readonly Localized[] {
  const known = Object.keys(COMMAND_CATEGORIES);
  if (known.includes(category)) return [];
  return [sentence("command_category", { name, category, known: known.join(", "), meant: meantBy(category, known) })];
}

/** An arrow function that is nothing but an object literal. */
const RETURNS_LITERAL = /^(async\s*)?(\([^()]*\)|[\w$]+)\s*=>\s*\(\s*\{/;

function rawFindings(row: Route): readonly Localized[] {
  const isPlain = row.reply === "raw" && RETURNS_LITERAL.test(String(row.run));
  return isPlain ? [sentence("raw_plain", { row: routeName(row) })] : [];
}

function webhookFindings(rows: readonly Route[], type: string, path: string | undefined): readonly Localized[] {
  if (path === undefined || isServed(rows, "POST", path)) return [];
  return [sentence("webhook_unserved", { type, path })];
}

/** The fields of a schema, at any depth, that would hold a secret as plain text. */
function openSecrets(schema: ObjectSchema): readonly string[] {
  return secretFieldsOf(schema.describe() as Described, "");
}

interface Described {
  readonly type?: string;
  readonly keys?: Readonly<Record<string, Described>>;
}

function secretFieldsOf({ keys = {} }: Described, above: string): readonly string[] {
  return Object.entries(keys).flatMap(([name, field]) => {
    const path = above === "" ? name : `${above}.${name}`;
    if (field.type === "object") return secretFieldsOf(field, path);
    return SECRET_NAME.test(name) && field.type === "string" ? [path] : [];
  });
}

/** True where a row of this method serves the path. */
function isServed(rows: readonly Route[], method: Route["method"], path: string): boolean {
  return rows.some((row) => row.method === method && patternOf(row.path).test(path));
}

function patternOf(path: string): RegExp {
  const parts = path.split(/\{\w+(\*?)\}/);
  // Between two fixed parts stands what the path had in braces: "" for one segment, "*" for all that follows.
  const pattern = parts.map((part, index) => (index % 2 === 0 ? RegExp.escape(part) : part === "*" ? ".+" : "[^/]+"));
  return new RegExp(`^${pattern.join("")}$`);
}
