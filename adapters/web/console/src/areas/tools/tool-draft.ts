import { stringifyJson } from "../../shared/forms/json-text.ts";
import { type JsonObject, parseJsonObject, toText } from "../../shared/json-object.ts";
import { NEW_REQUEST, type RequestDraft, toImplementation, toRequestDraft } from "../../shared/tools/request-draft.ts";
import type { Tool } from "./api.ts";

/** A tool in the form, with the typed texts, valid or not. */
export interface Draft extends RequestDraft {
  readonly name: string;
  readonly description: string;
  readonly kind: "http" | "static";
  readonly result: string;
  readonly parameters: string;
  readonly requires_confirm: boolean;
}

const NEW_TOOL: Draft = {
  ...NEW_REQUEST,
  name: "",
  description: "",
  kind: "http",
  result: "",
  parameters: stringifyJson({ type: "object", properties: {} }),
  requires_confirm: false,
};

export function toDraft(tool: Tool | undefined): Draft {
  if (!tool) return NEW_TOOL;
  const { name, description, requires_confirm, implementation } = tool;
  const base = { ...NEW_TOOL, name, description, requires_confirm, parameters: stringifyJson(tool.parameters) };
  if (implementation.type === "builtin") return base;
  const { type: kind, ...stored } = implementation;
  const { result }: JsonObject = stored;
  return kind === "static" ? { ...base, kind, result: toText(result) } : { ...base, ...toRequestDraft(stored) };
}

/** Builds the request body; lines and JSON are validated before. */
export function toBody(draft: Draft) {
  const { kind, name, description, requires_confirm, parameters, result, ...request } = draft;
  const implementation = kind === "static" ? { type: kind, result } : toImplementation(request);
  return { name, description, requires_confirm, parameters: parseJsonObject(parameters) ?? {}, implementation };
}
