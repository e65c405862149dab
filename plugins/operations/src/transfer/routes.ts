import Joi, { type CustomHelpers, type ObjectSchema } from "@hapi/joi";
import { type RouteTable, rawReply, reportProblem, route, splitCommaList } from "@parley/core";
import { answerFields, attachmentNamed, bytes, shape, warningFields } from "@parley/core/http";
import { operationsTexts } from "../texts.ts";
import type { ConfigTransfer, ExportRequest, ImportRequest } from "./transfer.ts";

const MULTIPART_BYTES = 65_536;
const MAX_PACKAGE_BYTES = 50 * 1024 * 1024;
const { text, count, flag, texts, word, listOf, mapOf } = answerFields;

const password = Joi.string().min(8).max(256).required();
const section = Joi.string().max(40);

const exportBody = Joi.object<ExportRequest>({
  password,
  sections: Joi.array().items(section).min(1).max(100),
  include_secrets: Joi.boolean().default(false),
});

const importForm: ObjectSchema<ImportRequest> = Joi.object({
  file: Joi.any().description("The package"),
  password,
  dry_run: Joi.boolean().default(false),
  mode: Joi.valid("skip", "overwrite").default("skip"),
  sections: Joi.string().max(4_000).custom(parseSectionList).description("A JSON list, or names with commas"),
  confirm: Joi.boolean().default(false),
});

const item = shape(
  { id: text, name: text, action: word("create", "update", "skip", "failed"), changed_fields: texts },
  "TransferItem",
);
const imported = shape(
  { created: count, updated: count, skipped: count, failed: count, items: listOf(item) },
  "TransferredSection",
);
const importData = shape(
  { dry_run: flag, applied: flag, sections: mapOf(imported), ...warningFields, missing_env: texts },
  "ConfigImport",
);
const sectionList = shape({
  items: listOf(shape({ id: text, title: answerFields.localized, has_secrets: flag }, "TransferSection")),
});

/** Routes of configuration packages. */
export function createTransferRoutes(transfer: ConfigTransfer, now: () => number): RouteTable {
  const base = "/api/config-transfer";
  return [
    route({
      method: "GET",
      path: `${base}/sections`,
      summary: "list the sections of configuration packages",
      scope: "admin",
      data: sectionList,
      run: () => ({ items: transfer.listSections() }),
    }),
    route({
      method: "POST",
      path: `${base}/export`,
      summary: "create an encrypted configuration package",
      scope: "admin",
      reply: "raw",
      body: exportBody,
      data: { "application/zip": bytes },
      timeoutMs: false,
      async run({ body, caller }) {
        const name = `parley-config-${new Date(now()).toISOString().slice(0, 10)}.zip`;
        return rawReply({
          body: await transfer.export(body, caller),
          type: "application/zip",
          headers: { "content-disposition": attachmentNamed(name), "cache-control": "no-store" },
        });
      },
    }),
    route<`${typeof base}/import`, ImportRequest>({
      method: "POST",
      path: `${base}/import`,
      summary: "inspect or import a configuration package",
      scope: "admin",
      payload: "multipart",
      maxBytes: MAX_PACKAGE_BYTES + MULTIPART_BYTES,
      body: importForm,
      data: importData,
      timeoutMs: false,
      run({ body, parts, caller }) {
        const file = parts.find(({ name, filename }) => name === "file" && filename !== undefined);
        if (!file) throw operationsTexts.error("bad_request", "missing", {}, { field: "file" });
        return transfer.import(file.bytes, body, caller);
      },
    }),
  ];
}

/** Parses `["settings","tools"]` or `settings, tools`. */
function parseSectionList(given: string, helpers: CustomHelpers): unknown {
  const list = given.trimStart().startsWith("[") ? parseJsonList(given) : splitCommaList(given);
  const { value, error } = Joi.array().items(section.required()).min(1).max(100).validate(list);
  return error ? reportProblem(operationsTexts.error("bad_request", "names_form"), helpers) : value;
}

function parseJsonList(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
