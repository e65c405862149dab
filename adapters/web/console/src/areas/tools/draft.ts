import { jsonOf, textOf } from "../../shared/forms/json-text.ts";
import { NEW_REQUEST, type RequestDraft, requestDraftOf, requestOf } from "../../shared/tools/request-draft.ts";
import type { Tool } from "./api.ts";

/** A tool as it stands in the form: what is written, JSON or not. */
export interface Draft extends RequestDraft {
  readonly name: string;
  readonly description: string;
  readonly kind: "http" | "static";
  readonly result: string;
  readonly parameters: string;
  readonly requires_confirm: boolean;
}

const NEW: Draft = {
  ...NEW_REQUEST,
  name: "",
  description: "",
  kind: "http",
  result: "",
  parameters: textOf({ type: "object", properties: {} }),
  requires_confirm: false,
};

export function draftOf(tool: Tool | undefined): Draft {
  if (!tool) return NEW;
  const { name, description, requires_confirm, implementation } = tool;
  const base = { ...NEW, name, description, requires_confirm, parameters: textOf(tool.parameters) };
  if (implementation.type === "static") return { ...base, kind: "static", result: implementation.result };
  return implementation.type === "builtin" ? base : { ...base, ...requestDraftOf(implementation) };
}

export function isObject(text: string): boolean {
  const value = jsonOf(text)?.value;
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What is sent; lines and JSON were looked at before. */
export function bodyOf(draft: Draft): object {
  const { kind, name, description, requires_confirm, parameters, result, ...request } = draft;
  const implementation = kind === "static" ? { type: "static", result } : requestOf(request);
  return { name, description, requires_confirm, parameters: jsonOf(parameters)?.value, implementation };
}
