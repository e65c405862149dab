import Joi from "@hapi/joi";
import { displayName, withLabel } from "@parley/core";
import { authorshipFields } from "./authorship.ts";
import { runFields } from "./runs/run-views.ts";
import type { RunKind } from "./runs/tables.ts";

// Fields of records that workflows and tasks have in common.

export const title = (en: string, zh: string) => ({ title: { en, zh } });

/** Returns the path, the parameter and the id format of a kind of record. */
export const toIdentity = (kind: RunKind, path: `/api/${string}`, idPrefix: string) => ({
  kind,
  path,
  param: `${kind}_id`,
  idPrefix,
  chosenId: Joi.string().pattern(new RegExp(`^${idPrefix}_[0-9a-z]{20}$`)),
});

export const nameField = withLabel(displayName(100).required(), title("Name", "名称"));
export const enabledField = withLabel(Joi.boolean().default(true), title("Runs automatically", "自动运行"));

/** Fields about a record's runs and authorship. */
export const runRecordFields = {
  ...authorshipFields,
  ...runFields,
  status: withLabel(runFields.status, title("Last run", "上次运行")),
  next_run: withLabel(runFields.next_run, title("Next run", "下次运行")),
  run_count: withLabel(runFields.run_count, title("Runs", "次数")),
};

/** Options of lists, and the maximum number of records. */
export const listOptions = {
  filters: ["enabled", "trigger"],
  sort: ["name", "-updated_at"],
  most: 1_000,
  columns: ["name", "trigger", "enabled", "status", "next_run", "run_count"],
} as const;
