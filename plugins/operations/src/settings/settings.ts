import { createHash } from "node:crypto";
import {
  type ConfigSections,
  checkRevision,
  type Environment,
  type JsonFile,
  type LiveEvents,
  type Localized,
  type Logger,
  resourceChanged,
  SETTING_GROUPS,
  type SettingDefinition,
  type Settings,
  splitCommaList,
} from "@parley/core";
import { operationsTexts } from "../texts.ts";
import { HOST_KEY, maskSettings, SEALED_KEY, unmaskSettings } from "./sealed-settings.ts";
import {
  applyMergePatch,
  type Document,
  findUnknownLeaves,
  getValue,
  isEqualJson,
  removeUnknownLeaves,
  removeValue,
  setValue,
} from "./settings-document.ts";
import { checkAll, findInvalidValue, rejectUnknownKeys } from "./validate-settings.ts";

/** The settings as `GET /api/settings` shows them. */
export interface SettingsView extends Document {
  readonly revision: number;
}

export interface EditableSettings extends Settings {
  /** Returns the settings for people, with the secrets in addresses masked. */
  getView(): SettingsView;
  /** Merges a JSON merge patch into the file; all or nothing. */
  change(patch: Document, ifMatch?: number): Promise<SettingsView>;
  /** Returns a document without the values that belong to no setting of an enabled plugin. */
  pickKnown(document: Document): Document;
  /** Returns the values in the file of settings of enabled plugins, including secrets. */
  getStored(): Document;
  /** Logs the unknown settings in the file. */
  logUnknownKeys(): void;
  /** Throws the error with which `change` would reject the patch, without changing anything. */
  check(patch: Document): void;
  /** Returns why the file cannot be used; undefined when it is valid. */
  getFileError(): string | undefined;
  /** Returns why a value of the file is invalid; undefined when all are valid. */
  findInvalidValue(): Localized | undefined;
  /** Checks the file for edits by people, if there are listeners. */
  checkFile(): void;
}

export interface SettingsDeps {
  readonly definitions: () => readonly SettingDefinition[];
  readonly file: JsonFile<Document>;
  readonly environment: Environment;
  readonly sections: ConfigSections;
  readonly events: LiveEvents;
  readonly log: Logger;
}

export function createSettings(deps: SettingsDeps): EditableSettings {
  const { definitions, file, environment, sections, events, log } = deps;
  const watchers = new Set<() => void>();
  const reported = new Set<string>();
  let lastContent: Document | undefined;
  // An edit of the file counts as a change like any other.
  const noteContent = (content: Document) => {
    const isChange = lastContent !== undefined && lastContent !== content;
    lastContent = content;
    if (!isChange) return content;
    reported.clear();
    for (const notify of watchers) notify();
    return content;
  };
  const read = () => noteContent(file.read());
  const report = (key: string, reason: string) => {
    if (reported.has(key)) return;
    reported.add(key);
    log.warn("a value of a setting is not valid; it is ignored", { key, reason });
  };
  const computeValue = (definition: SettingDefinition, stored: unknown, given: string | undefined): EffectiveValue => {
    if (stored !== undefined) {
      const { value, error } = definition.schema.validate(stored);
      if (!error) return { value, source: "file" };
      report(definition.key, error.message);
    }
    if (given !== undefined && given !== "") {
      const { value, error } = definition.schema.validate(parsePlainValue(given, definition.schema.type));
      if (!error) return { value, source: "env" };
      report(definition.key, error.message);
    }
    const line = definition.line && sections.section(definition.line[0])[definition.line[1]];
    if (line) {
      const { schema } = definition;
      const { value, error } = schema.validate(schema.type === "array" ? splitCommaList(line) : line);
      if (!error) return { value, source: "default" };
      report(definition.key, error.message);
    }
    return { value: getDefault(definition), source: "default" };
  };
  // Cached, because some are read several times per message and rarely change.
  const cachedSettings = new WeakMap<SettingDefinition, CachedSetting>();
  const resolve = (definition: SettingDefinition, content: Document): EffectiveValue => {
    const given = definition.env === undefined ? undefined : environment.get(definition.env);
    const before = cachedSettings.get(definition);
    if (before?.content === content && before.given === given) return before.effective;
    const found = computeValue(definition, getValue(content, definition.key), given);
    cachedSettings.set(definition, { content, given, effective: found });
    return found;
  };
  const listEffective = (content: Document) =>
    definitions().map((definition) => ({ definition, key: definition.key, ...resolve(definition, content) }));
  const listKeys = () => definitions().map(({ key }) => key);
  const pickKnown = (content: Document): Document => {
    const { [HOST_KEY]: _host, [SEALED_KEY]: _sealed, ...own } = content;
    return removeUnknownLeaves(own, listKeys());
  };
  const toEffective = (content: Document): Document => {
    return listEffective(content).reduce((shown, { key, value }) => setValue(shown, key, value), pickKnown(content));
  };
  const getView = (): SettingsView => {
    const content = read();
    const revision = toRevision(content);
    const effective = listEffective(content);
    const sources = Object.fromEntries(effective.map(({ key, source }) => [key, source]));
    const restart_required = effective.filter(({ definition }) => definition.needsRestart).map(({ key }) => key);
    const offered = effective.map(({ definition }) => toDefinitionView(definition)).toSorted(compareGroups);
    return {
      ...maskSettings(toEffective(content)),
      _meta: { sources, restart_required, definitions: offered, revision },
      revision,
    };
  };

  const toPatch = ({ _meta, revision: _revision, [SEALED_KEY]: _sealed, ...patch }: Document): Document => {
    if (HOST_KEY in patch) throw operationsTexts.error("bad_request", "plugins_elsewhere", {}, { field: HOST_KEY });
    return patch;
  };
  const applyPatch = (content: Document, given: Document): Document => {
    const current = toEffective(content);
    rejectUnknownKeys(given, listKeys());
    const patch = unmaskSettings(given, current);
    const merged = applyMergePatch(content, withoutUnchanged(patch, content, current, definitions()));
    if (isEqualJson(merged, content)) return content;
    checkAll(merged, definitions());
    return merged;
  };

  return {
    getView,
    pickKnown,
    getStored: () => pickKnown(read()),
    logUnknownKeys() {
      const { [HOST_KEY]: _host, [SEALED_KEY]: _sealed, ...own } = read();
      const names = findUnknownLeaves(own, listKeys()).map(({ path }) => path.join("."));
      if (names.length > 0)
        log.warn("settings.json names settings that no enabled plugin has; they have no effect", { names });
    },
    check: (patch) => void applyPatch(read(), toPatch(patch)),
    getFileError: () => file.problem(),
    findInvalidValue: () => findInvalidValue(read(), definitions()),
    checkFile: () => void (watchers.size > 0 && read()),
    get: <Value>(definition: SettingDefinition<Value>) =>
      resolve(definition as SettingDefinition, read()).value as Value,
    watch<Value>(definition: SettingDefinition<Value>, listener: (value: Value) => void) {
      const now = () => resolve(definition as SettingDefinition, read()).value as Value;
      let last = now();
      const notify = () => {
        const value = now();
        if (isEqualJson(value, last)) return;
        last = value;
        try {
          listener(value);
        } catch (error) {
          log.error("a changed setting could not be applied", { key: definition.key, error });
        }
      };
      watchers.add(notify);
      return () => void watchers.delete(notify);
    },
    async change(patch, ifMatch) {
      const wanted = toPatch(patch);
      const before = getView().revision;
      const next = await file.update((content) => {
        noteContent(content);
        checkRevision({ revision: toRevision(content) }, ifMatch);
        return applyPatch(content, wanted);
      });
      noteContent(next);
      const shown = getView();
      if (shown.revision !== before) {
        events.publish(resourceChanged("settings", "settings", "updated", shown.revision));
      }
      return shown;
    },
  };
}

/** Computes the revision from the content, so that it is the same in every process and after every start. */
function toRevision(content: Document): number {
  const { [HOST_KEY]: _host, ...own } = content;
  return 1 + createHash("sha256").update(JSON.stringify(own)).digest().readUIntBE(0, 6);
}

interface EffectiveValue {
  readonly value: unknown;
  readonly source: "file" | "env" | "default";
}

/** An effective value and its inputs. */
interface CachedSetting {
  readonly content: Document;
  readonly given: string | undefined;
  readonly effective: EffectiveValue;
}

/** Returns a setting as the settings page shows it. */
function toDefinitionView(definition: SettingDefinition) {
  const { key, group, title, help = null, options, needsRestart = false } = definition;
  const json = definition.schema["~standard"].jsonSchema.input({ target: "draft-2020-12" });
  const schema = { ...json, ...(options && { "x-parley": { title, options } }) };
  return { key, group, title, help, schema, default: getDefault(definition), restart_required: needsRestart };
}

function compareGroups(a: Pick<SettingDefinition, "group">, b: Pick<SettingDefinition, "group">): number {
  return SETTING_GROUPS.indexOf(a.group) - SETTING_GROUPS.indexOf(b.group);
}

function getDefault({ schema }: SettingDefinition): unknown {
  return schema.validate(undefined).value;
}

// Unchanged values that a client sends back, and that the file does not have, are not added to the file.
function withoutUnchanged(
  patch: Document,
  content: Document,
  current: Document,
  definitions: readonly SettingDefinition[],
): Document {
  const same = definitions.filter(
    ({ key }) =>
      getValue(content, key) === undefined &&
      getValue(patch, key) !== undefined &&
      isEqualJson(getValue(patch, key), getValue(current, key)),
  );
  return same.reduce((left, { key }) => removeValue(left, key), patch);
}

/** Parses `true`, `0.5` and the like from a variable. */
function parsePlainValue(text: string, type: string | undefined): unknown {
  if (type !== "number" && /^(true|1|yes|on)$/i.test(text)) return true;
  if (type !== "number" && /^(false|0|no|off)$/i.test(text)) return false;
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}
