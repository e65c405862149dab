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
import { type Generation, sentence, suggestName } from "@parley/host/tooling";

/** A mistake in a contribution that neither types nor schemas detect. */
export interface ContributionFinding {
  readonly plugin: string;
  readonly text: Localized;
}

/** Pattern of names of secret fields. */
const SECRET_NAME = /(^|_)(token|secret|password|api_?key|private_?key)$/i;
const EXAMPLE_CHANNEL_ID = "example";

/** Finds problems of contributions without a start: unreachable commands, pages and webhooks without a route, unprotected secrets. */
export function findContributionProblems(
  generation: Pick<Generation, "unstarted">,
  plugins: readonly DefinedPlugin[],
): readonly ContributionFinding[] {
  const added = <T>(point: ExtensionPoint<T>) =>
    generation.unstarted(point).flatMap((one) => ("made" in one ? [{ plugin: one.plugin, made: one.made }] : []));
  const rows = added(RouteTables).flatMap(({ made }) => made);
  const collect = <T>(point: ExtensionPoint<T>, examine: (made: T) => readonly Localized[]) =>
    added(point).flatMap(({ plugin, made }) => examine(made).map((text) => ({ plugin, text })));
  return [
    ...collect(ChatCommands, ({ name, category }) => findCategoryProblems(name, category)),
    ...collect(RouteTables, (table) => table.flatMap(findRawProblems)),
    ...collect(ConsoleAreas, ({ id, view }) =>
      view.kind === "module" && !isServed(rows, "GET", view.url)
        ? [sentence("area_unserved", { id, url: view.url })]
        : [],
    ),
    ...collect(ChannelAdapters, ({ type, webhookPath }) =>
      findWebhookProblems(rows, type, webhookPath?.(EXAMPLE_CHANNEL_ID)),
    ),
    ...collect(ChannelAdapters, ({ type, settings }) =>
      findOpenSecrets(settings).map((field) => sentence("channel_secret", { type, field })),
    ),
    ...collect(Resources, ({ kind, fields, secret = [] }) =>
      Object.keys(fields)
        .filter((field) => SECRET_NAME.test(field) && !(secret as readonly string[]).includes(field))
        .map((field) => sentence("resource_secret", { kind, field })),
    ),
    ...collect(SettingDefinitions, ({ key }) =>
      SECRET_NAME.test(key.split(".").at(-1) ?? "") ? [sentence("setting_secret", { key })] : [],
    ),
    ...plugins.flatMap(({ id, config }) =>
      (config ? findOpenSecrets(config) : []).map((field) => ({
        plugin: id,
        text: sentence("plugin_secret", { id, field }),
      })),
    ),
  ];
}

function findCategoryProblems(name: string, category: string): readonly Localized[] {
  const known = Object.keys(COMMAND_CATEGORIES);
  if (known.includes(category)) return [];
  return [
    sentence("command_category", { name, category, known: known.join(", "), meant: suggestName(category, known) }),
  ];
}

/** Matches an arrow function that only returns an object literal. */
const RETURNS_LITERAL = /^(async\s*)?(\([^()]*\)|[\w$]+)\s*=>\s*\(\s*\{/;

function findRawProblems(row: Route): readonly Localized[] {
  const isPlain = row.reply === "raw" && RETURNS_LITERAL.test(String(row.run));
  return isPlain ? [sentence("raw_plain", { row: routeName(row) })] : [];
}

function findWebhookProblems(rows: readonly Route[], type: string, path: string | undefined): readonly Localized[] {
  if (path === undefined || isServed(rows, "POST", path)) return [];
  return [sentence("webhook_unserved", { type, path })];
}

/** Returns the fields of a schema, at any depth, that would store a secret as plain text. */
function findOpenSecrets(schema: ObjectSchema): readonly string[] {
  return listSecretFields(schema.describe() as DescribedSchema, "");
}

interface DescribedSchema {
  readonly type?: string;
  readonly keys?: Readonly<Record<string, DescribedSchema>>;
}

function listSecretFields({ keys = {} }: DescribedSchema, above: string): readonly string[] {
  return Object.entries(keys).flatMap(([name, field]) => {
    const path = above === "" ? name : `${above}.${name}`;
    if (field.type === "object") return listSecretFields(field, path);
    return SECRET_NAME.test(name) && field.type === "string" ? [path] : [];
  });
}

/** Returns true when a route serves the path with this method. */
function isServed(rows: readonly Route[], method: Route["method"], path: string): boolean {
  return rows.some((row) => row.method === method && toPathPattern(row.path).test(path));
}

function toPathPattern(path: string): RegExp {
  const parts = path.split(/\{\w+(\*?)\}/);
  // Odd parts are the braces of the path: "" for one segment, "*" for the rest.
  const pattern = parts.map((part, index) => (index % 2 === 0 ? RegExp.escape(part) : part === "*" ? ".+" : "[^/]+"));
  return new RegExp(`^${pattern.join("")}$`);
}
