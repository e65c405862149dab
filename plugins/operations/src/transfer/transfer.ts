import {
  type Caller,
  type Database,
  type Environment,
  type Files,
  formatWarnings,
  type ItemFailure,
  type ListedWarnings,
  type Logger,
  localizeMessage,
  type TransferContext,
  type TransferFailure,
  type TransferPlan,
  type TransferSection,
  toLocalized,
  toSchemaError,
  toSharedError,
} from "@parley/core";
import { operationsTexts } from "../texts.ts";
import type { ImportBackups } from "./import-backups.ts";
import { openPackage, type PackageContent, sealPackage } from "./package.ts";
import { collectPortraits, storePortraits } from "./portraits.ts";

export interface TransferDeps {
  readonly sections: () => readonly TransferSection[];
  readonly files: () => Files | undefined;
  /** The main database, which holds most of the exported records. */
  readonly database: () => Pick<Database, "snapshot">;
  readonly environment: Environment;
  readonly backups: ImportBackups;
  readonly version: string;
  readonly now: () => number;
  readonly log: Logger;
}

export interface ExportRequest {
  readonly password: string;
  /** Ids of the sections to export; all by default. */
  readonly sections?: readonly string[];
  readonly include_secrets: boolean;
}

export interface ImportRequest {
  readonly password: string;
  readonly dry_run: boolean;
  readonly mode: "skip" | "overwrite";
  /** Ids of the sections to import; all of the package by default. */
  readonly sections?: readonly string[];
  readonly confirm: boolean;
}

interface SectionResult {
  readonly created: number;
  readonly updated: number;
  readonly skipped: number;
  readonly failed: number;
  readonly items: readonly { id: string; name: string; action: string; changed_fields: readonly string[] }[];
}

export interface ImportResult extends ListedWarnings {
  readonly dry_run: boolean;
  readonly applied: boolean;
  readonly sections: Readonly<Record<string, SectionResult>>;
  readonly missing_env: readonly string[];
}

/** Configuration packages. */
export interface ConfigTransfer {
  listSections(): readonly (Pick<TransferSection, "id" | "title"> & { readonly has_secrets: boolean })[];
  export(asked: ExportRequest, caller: Caller): Promise<Uint8Array>;
  /** Validates everything, then writes. A failed import restores its changes. Rejects with `conflict` while another import runs. */
  import(bytes: Uint8Array, asked: ImportRequest, caller: Caller): Promise<ImportResult>;
}

interface PlannedSection {
  readonly section: TransferSection;
  readonly part: unknown;
  readonly plan: TransferPlan;
  readonly context: TransferContext;
}

export function createConfigTransfer(deps: TransferDeps): ConfigTransfer {
  const { sections, files, database, environment, backups, version, now, log } = deps;
  let isRunning = false;
  let last: Promise<unknown> = Promise.resolve();

  const buildPackage = async (ids: readonly string[], withSecrets: boolean, password: string, caller: Caller) => {
    const read = () => collectContent(selectSections(sections(), ids), withSecrets, caller, files());
    const content = await (database().snapshot?.(read) ?? read());
    return sealPackage(
      content,
      {
        created_at: new Date(now()).toISOString(),
        product_version: version,
        sections: Object.fromEntries(Object.entries(content.sections).map(([id, part]) => [id, countRecords(part)])),
        includes_secrets: withSecrets,
      },
      password,
    );
  };
  const importPackage = async (bytes: Uint8Array, asked: ImportRequest, caller: Caller): Promise<ImportResult> => {
    const { password, dry_run, mode } = asked;
    const { facts, ...content } = await openPackage(bytes, password);
    const planned = await planSections(content, asked, sections(), caller);
    const missing_env = listMissingVariables(planned, environment);
    const left = planned.flatMap(({ section, plan }) =>
      plan.items.flatMap(({ name, why: error, why_detail: detail }) =>
        error === undefined ? [] : [toRecordWarning(section, name, { error, ...(detail && { detail }) })],
      ),
    );
    const toResult = (rejected: FailuresBySection, more: readonly ItemFailure[]): ImportResult => ({
      dry_run,
      applied: !dry_run,
      sections: Object.fromEntries(
        planned.map((one) => [one.section.id, toSectionResult(one, rejected.get(one.section.id))]),
      ),
      ...formatWarnings([...left, ...more]),
      missing_env,
    });
    const touched = planned.filter(({ plan }) => plan.items.some(({ action }) => action !== "skip"));
    if (dry_run || touched.length === 0) return toResult(new Map(), []);
    const ids = touched.map(({ section }) => section.id);
    const backup = await backups.store(await buildPackage(ids, facts.includes_secrets, password, caller));
    const pictures = await storePortraits(
      content.portraits,
      Object.fromEntries(touched.map(({ section, part }) => [section.id, part])),
      files(),
    );
    const rejected = await applySections(touched);
    log.info("a configuration package was imported", { sections: ids, mode, backup, by: caller.username });
    const reasons = touched.flatMap(({ section }) =>
      (rejected.get(section.id) ?? []).map((failure) => toRecordWarning(section, failure.id, failure)),
    );
    return toResult(rejected, [...pictures, ...reasons]);
  };

  return {
    listSections: () =>
      sections().map(({ id, title: { en, zh }, secrets }) => ({
        id,
        // Titles of record kinds are in lower case, for use within sentences.
        title: { en: en.charAt(0).toUpperCase() + en.slice(1), zh },
        has_secrets: secrets !== undefined,
      })),
    async export({ password, sections: ids, include_secrets }, caller) {
      const all = sections().map(({ id }) => id);
      // Without this wait, the export could contain part of an import that is running.
      await last;
      const bytes = await buildPackage(ids ?? all, include_secrets, password, caller);
      const what = { sections: ids ?? all, include_secrets, by: caller.username };
      log.info("a configuration package was created", what);
      return bytes;
    },
    async import(bytes, asked, caller) {
      if (asked.mode === "overwrite" && !asked.dry_run && !asked.confirm)
        throw operationsTexts.error("confirmation_required", "import_confirm");
      if (isRunning) throw toSharedError("conflict", "import_running", {});
      isRunning = true;
      const running = importPackage(bytes, asked, caller).finally(() => {
        isRunning = false;
      });
      last = running.catch(() => {});
      return running;
    },
  };
}

// All sections begin at the same time, so that data in memory matches the data read from `Database.snapshot`.
async function collectContent(
  sections: readonly TransferSection[],
  withSecrets: boolean,
  caller: Caller,
  files: Files | undefined,
): Promise<PackageContent> {
  const taken = await Promise.all(
    sections.map(async ({ id, export: part, secrets }) => {
      const both = [part(caller), withSecrets ? secrets?.(caller) : undefined] as const;
      const [content, keys] = await Promise.all(both);
      return { id, content, keys };
    }),
  );
  const parts = Object.fromEntries(taken.map(({ id, content }) => [id, content]));
  const secrets = taken.flatMap(({ id, keys }) => (keys === undefined ? [] : [[id, keys] as const]));
  return { sections: parts, secrets: Object.fromEntries(secrets), portraits: await collectPortraits(parts, files) };
}

function selectSections(sections: readonly TransferSection[], ids: readonly string[]): readonly TransferSection[] {
  return [...new Set(ids)].map((id) => {
    const found = sections.find((section) => section.id === id);
    if (!found) throw toSharedError("bad_request", "unknown_section", { section: id });
    return found;
  });
}

/** Plans each section. Throws for the first invalid one, before anything is written. */
async function planSections(
  { sections: given, secrets }: PackageContent,
  { mode, sections: ids }: ImportRequest,
  known: readonly TransferSection[],
  caller: Caller,
): Promise<readonly PlannedSection[]> {
  const wanted = new Set(ids ?? Object.keys(given));
  selectSections(known, [...wanted]);
  for (const id of wanted) {
    if (!Object.hasOwn(given, id))
      throw operationsTexts.error("bad_request", "not_in_package", { id }, { field: "sections" });
  }
  const planned: PlannedSection[] = [];
  // Sections are in the order of the plugins, so that dependencies are imported first.
  for (const section of known.filter(({ id }) => wanted.has(id))) {
    const { value: part, error } = section.schema.validate(given[section.id]);
    if (error)
      throw operationsTexts.error(
        "bad_request",
        "part_wrong",
        { reason: toLocalized(toSchemaError(error)) },
        { field: section.id },
      );
    const keys = secrets[section.id];
    const context = { caller, mode, ...(keys && { secrets: keys }) };
    planned.push({ section, part, context, plan: await section.plan(part, context) });
  }
  return planned;
}

type FailuresBySection = ReadonlyMap<string, readonly TransferFailure[]>;

async function applySections(touched: readonly PlannedSection[]): Promise<FailuresBySection> {
  const rejected = new Map<string, readonly TransferFailure[]>();
  await using back = new AsyncDisposableStack();
  for (const { section, part, plan, context } of touched) {
    const steps = await section.apply(part, plan, context);
    back.defer(() => steps.undo());
    rejected.set(section.id, await steps.run());
  }
  // Everything succeeded, so nothing is reverted.
  back.move();
  return rejected;
}

function toRecordWarning({ id, title }: TransferSection, record: string, { error, detail }: ItemFailure): ItemFailure {
  const section = { en: id, zh: title.zh };
  return operationsTexts.message("of_record", { section, record, reason: localizeMessage(error, detail) });
}

function listMissingVariables(planned: readonly PlannedSection[], environment: Environment): readonly string[] {
  const names = new Set(planned.flatMap(({ plan }) => plan.variables));
  return [...names].filter((name) => !environment.get(name)).toSorted();
}

function toSectionResult({ plan }: PlannedSection, failures: readonly TransferFailure[] = []): SectionResult {
  const failed = new Set(failures.map(({ id }) => id));
  const items = plan.items.map(({ id, name, action, changed_fields }) => ({
    id,
    name,
    action: failed.has(id) ? "failed" : action,
    changed_fields,
  }));
  const count = (wanted: string) => items.filter(({ action }) => action === wanted).length;
  return {
    created: count("create"),
    updated: count("update"),
    skipped: count("skip"),
    failed: count("failed"),
    items,
  };
}

function countRecords(part: unknown): number {
  return Array.isArray(part) ? part.length : 1;
}
