import type { Environment } from "@parley/core";
import type { Implementation, ToolFields } from "../schema.ts";
import { toolsTexts } from "../texts.ts";
import { parseJsonTemplate } from "./http-request.ts";
import type { ArgumentCheck, ParameterSchemas } from "./parameter-schema.ts";
import { listPlaceholders } from "./template.ts";

/** Headers that belong to the connection itself. */
const CONNECTION_HEADERS =
  /^(?:host|content-length|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect)$|^proxy-/i;

export interface CheckDeps {
  readonly schemas: ParameterSchemas;
  readonly environment: Environment;
}

/** Validates a tool, naming the invalid field; returns the check of its arguments. */
export function checkTool(
  { parameters, implementation }: Pick<ToolFields, "parameters" | "implementation">,
  { schemas, environment }: CheckDeps,
): ArgumentCheck {
  const check = schemas.check(parameters);
  const names = Object.keys((parameters.properties ?? {}) as object);
  if (names.includes("confirm")) throw toolsTexts.error("bad_request", "confirm_kept", {}, { field: "parameters" });
  const unknown = listTemplates(implementation)
    .flatMap(listPlaceholders)
    .find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw toolsTexts.error("bad_request", "no_argument", { argument: `{{${unknown}}}` }, { field: "implementation" });
  if (implementation.type === "http") {
    const { headers, headers_env, body } = implementation;
    for (const name of [...Object.keys(headers), ...Object.keys(headers_env)]) {
      if (CONNECTION_HEADERS.test(name))
        throw toolsTexts.error("bad_request", "header_fixed", { name }, { field: "implementation" });
    }
    if (typeof body === "string") parseJsonTemplate(body, headers);
    // Throws for variables that configure the service itself.
    for (const variable of Object.values(headers_env)) environment.secret(variable);
  }
  return check;
}

/** Returns every text of an implementation with placeholders for arguments. */
function listTemplates(implementation: Implementation): readonly string[] {
  if (implementation.type === "static") return [implementation.result];
  const { url, headers, query, body } = implementation;
  return [url, ...Object.values(headers), ...Object.values(query), ...listTexts(body)];
}

function listTexts(part: unknown): readonly string[] {
  if (typeof part === "string") return [part];
  return typeof part === "object" && part !== null ? Object.values(part).flatMap(listTexts) : [];
}
