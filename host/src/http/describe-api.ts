import type { Schema } from "@hapi/joi";
import { HTTP_STATUS, jsonSchemaOf, type Route } from "@parley/core";
import { defaultScope } from "./authentication.ts";

/** The rows as an OpenAPI 3.1 document. */
export function describeApi(rows: readonly Route[]): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const row of rows) {
    const path = openApiPath(row.path);
    paths[path] = { ...paths[path], [row.method.toLowerCase()]: operationOf(row) };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Parley", version: "1", description: "The service's REST interface." },
    paths,
    components: {
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "A login token or an API key." },
        cookie: { type: "apiKey", in: "cookie", name: "svc_auth_token", description: "The console's login." },
      },
      schemas: {
        Failure: {
          type: "object",
          required: ["success", "error", "code"],
          properties: {
            success: { const: false },
            error: { type: "string", description: "A sentence for people." },
            code: { enum: Object.keys(HTTP_STATUS) },
          },
        },
      },
    },
  };
}

/** The group a row is listed in: `/api/ai-models/…` → `ai-models`. */
export function groupOf(path: string): string {
  const [first = "", second = ""] = path.split("/").slice(1);
  const name = first === "api" ? second : first;
  return name.replaceAll(/[{}*]/g, "") || "pages";
}

function operationOf(row: Route): object {
  const scope = row.scope ?? defaultScope(row.method);
  return {
    operationId: `${row.method.toLowerCase()}${row.path.replaceAll(/[^A-Za-z0-9]+/g, "_")}`,
    summary: row.summary,
    tags: [groupOf(row.path)],
    ...(row.auth === "open"
      ? { security: [] }
      : { security: [{ bearer: [] }, { cookie: [] }], description: `Needs the scope \`${scope}\`.` }),
    parameters: [...pathParameters(row.path), ...queryParameters(row.query)],
    ...(row.body && { requestBody: requestBodyOf(row, row.body) }),
    responses: {
      200: row.reply === "raw" ? { description: "The content itself." } : successOf(row.data),
      default: { description: "A failure.", content: json({ $ref: "#/components/schemas/Failure" }) },
    },
  };
}

function requestBodyOf({ payload }: Route, body: Schema): object {
  const schema = schemaOf(body);
  if (payload === "multipart" || payload === "upload") return { content: { "multipart/form-data": { schema } } };
  return { content: json(schema) };
}

function successOf(data: Schema | undefined): object {
  const properties = {
    success: { const: true },
    data: data ? schemaOf(data) : {},
    message: { type: "string" },
  };
  return {
    description: "Success.",
    content: json({ type: "object", required: ["success", "data", "message"], properties }),
  };
}

function pathParameters(path: string): readonly object[] {
  return [...path.matchAll(/\{(\w+)\*?\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
}

function queryParameters(query: Schema | undefined): readonly object[] {
  if (!query) return [];
  const { properties = {}, required = [] } = schemaOf(query) as {
    properties?: Record<string, object>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    ...(required.includes(name) && { required: true }),
    schema,
  }));
}

function schemaOf(schema: Schema): object {
  const { $schema: _dialect, ...rest } = jsonSchemaOf(schema) as { $schema?: string };
  return rest;
}

function json(schema: object): object {
  return { "application/json": { schema } };
}

function openApiPath(path: string): string {
  return path.replaceAll(/\{(\w+)\*\}/g, "{$1}");
}
