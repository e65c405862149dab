import {
  type Check,
  Checks,
  type EditedFile,
  EditedFiles,
  type ExtensionPoint,
  type HostControl,
  type Localized,
  localizeMessage,
  type PluginStatus,
  RecordKinds,
  type Resource,
  type Route,
  RouteTables,
  routeName,
  setAddedLanguages,
} from "@parley/core";
import { type HostOptions, StartError } from "@parley/host";
import {
  type Configuration,
  createGeneration,
  createHostServices,
  createLiveEvents,
  createLogging,
  createRedaction,
  describeApi,
  type Generation,
  isFirstParty,
  type LoadedPlugin,
  listHostRouteNames,
  listHostRoutes,
  loadConfiguredPlugins,
  readConfiguration,
  readLanguages,
  sentence,
  toSentence,
  verbatim,
  warnCoreCopies,
  warnForcedOn,
  warnMissingTexts,
  warnNothingInstalled,
  warnUnusedSettings,
} from "@parley/host/tooling";
import { blockExit } from "../packages/block-exit.ts";
import { findContributionProblems } from "./contribution-findings.ts";

/** Checks a configuration without starting anything. */
export async function checkConfiguration(options: HostOptions = {}): Promise<{
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
  readonly plugins: readonly PluginStatus[];
}> {
  const { problems, warnings, plugins } = await checkConfigurationLocalized(options);
  return { problems: problems.map(({ en }) => en), warnings: warnings.map(({ en }) => en), plugins };
}

/** Checks a configuration without starting anything; localized. */
export async function checkConfigurationLocalized(options: HostOptions = {}): Promise<{
  readonly problems: readonly Localized[];
  readonly warnings: readonly Localized[];
  readonly plugins: readonly PluginStatus[];
}> {
  const { configuration, loaded, generation, languageWarnings } = await registerPlugins(options);
  generation.dryRun();
  const plugins = generation.status();
  // The failures of first-party plugins are problems of the generation.
  const thirdParty = new Set(loaded.flatMap(({ entry, isThirdParty }) => (isThirdParty ? [entry.id] : [])));
  const left = plugins.flatMap(({ id, failure, failure_detail: detail }) =>
    failure === null || !thirdParty.has(id)
      ? []
      : [sentence("of_plugin", { id, reason: localizeMessage(failure, detail) })],
  );
  const problems = [
    ...configuration.problems,
    ...warnNothingInstalled(loaded, options),
    ...configuration.unknown,
    ...warnUnusedSettings(loaded),
    ...generation.problems,
    ...left,
    ...listContributions(generation, Checks).flatMap(findMissing),
  ];
  return {
    problems: [...new Map(problems.map((problem) => [problem.en, problem])).values()],
    warnings: [
      ...configuration.warnings,
      ...warnCoreCopies(loaded),
      ...generation.warnings.map(verbatim),
      ...warnForcedOn(loaded),
      ...languageWarnings,
      ...findContributionProblems(
        generation,
        loaded.flatMap(({ plugin }) => (plugin ? [plugin] : [])),
      ).map(({ plugin: id, text }) => sentence("of_plugin", { id, reason: text })),
    ],
    plugins,
  };
}

/** Returns the OpenAPI document without a start. A third-party plugin that fails is left out with a warning. */
export async function describeConfiguration(
  options: HostOptions = {},
): Promise<{ readonly document: object; readonly warnings: readonly string[] }> {
  const { configuration, loaded, generation } = await registerPlugins(options);
  const problems = [...configuration.problems, ...warnNothingInstalled(loaded, options), ...generation.problems];
  const warnings: string[] = [];
  const rows = new Map<string, Route>(listHostRoutes().map((row) => [routeName(row), row]));
  const isThirdParty = new Set(
    generation
      .status()
      .filter(({ package: name }) => !isFirstParty(name))
      .map(({ id }) => id),
  );
  for (const { plugin, ...table } of generation.unstarted(RouteTables)) {
    const addProblem = (reason: string) => {
      const message = sentence("of_plugin", { id: plugin, reason });
      if (isThirdParty.has(plugin)) warnings.push(message.en);
      else problems.push(message);
    };
    if ("failure" in table) addProblem(table.failure);
    else {
      const duplicate = table.made.find((row) => rows.has(routeName(row)));
      if (duplicate) addProblem(`adds the row ${routeName(duplicate)}, which is there already`);
      else for (const row of table.made) rows.set(routeName(row), row);
    }
  }
  warnings.push(...generation.status().flatMap(({ id, failure }) => (failure ? [`plugin '${id}': ${failure}`] : [])));
  if (problems.length > 0) throw new StartError(problems);
  return { document: describeApi([...rows.values()]), warnings };
}

export interface OfflineChecks {
  readonly checks: readonly Check[];
  readonly files: readonly EditedFile[];
  readonly kinds: readonly Resource[];
}

/** Collects the plugins' offline checks of a data folder; plugins that cannot be described contribute none. */
export async function findOfflineChecks(options: HostOptions = {}): Promise<OfflineChecks> {
  const { generation } = await registerPlugins(options);
  return {
    checks: listContributions(generation, Checks),
    files: listContributions(generation, EditedFiles),
    kinds: listContributions(generation, RecordKinds),
  };
}

function findMissing({ beforeStart }: Check): readonly Localized[] {
  try {
    beforeStart?.();
    return [];
  } catch (error) {
    return [toSentence(error)];
  }
}

/** Returns what plugins contribute to a point, without starting them; failed contributions are omitted. */
function listContributions<T>(generation: Generation, point: ExtensionPoint<T>): readonly T[] {
  return generation.unstarted(point).flatMap((one) => ("made" in one ? [one.made] : []));
}

/** The plugins of a configuration, registered and not started. */
export interface RegisteredPlugins {
  readonly configuration: Configuration;
  readonly loaded: readonly LoadedPlugin[];
  readonly generation: Generation;
  readonly languageWarnings: readonly Localized[];
}

/** Registers the plugins of a configuration without starting them. */
export async function registerPlugins(options: HostOptions): Promise<RegisteredPlugins> {
  const source = { root: options.root ?? process.cwd(), flags: options.flags ?? {}, env: options.env ?? process.env };
  const configuration = readConfiguration(source);
  if (options.ownsProcess) blockExit();
  const { languages, warnings } = readLanguages(configuration.root);
  setAddedLanguages(languages);
  const loaded = await loadConfiguredPlugins(configuration, options, (line) => process.stderr.write(`note: ${line}\n`));
  const redaction = createRedaction();
  const logging = createLogging({ level: "error", format: "pretty", folder: undefined, redaction });
  const { log } = logging;
  const control = { plugins: () => [] } as unknown as HostControl;
  const services = createHostServices(configuration, { control, redaction, logging, events: createLiveEvents(log) });
  const generation = createGeneration({ loaded, log, services, reservedNames: listHostRouteNames() });
  const languageWarnings = [...warnings, ...warnMissingTexts(languages)];
  return { configuration, loaded, generation, languageWarnings };
}
