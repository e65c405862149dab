import type { Schema } from "@hapi/joi";
import { HTTP_STATUS, jsonSchemaOf, type RawData, type Route } from "@parley/core";
import type { NamingOptions } from "@parley/core/http";
import { readHostVersion } from "../../version.ts";
import { toDefaultScope } from "../request/authentication.ts";

/** Describes a schema; named schemas appear once, among the components. */
type Describe = (schema: Schema) => object;

/** Describes the routes as an OpenAPI 3.1 document. */
export function describeApi(routes: readonly Route[]): object {
  const named = new Map<string, object>();
  const describe = createDescribe({ named, namedAt: "#/components/schemas/" });
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = toOpenApiPath(route.path);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: toOperation(route, describe) };
  }
  const tags = [...new Set(routes.map(({ path }) => toGroupName(path)))].sort();
  return openObjects({
    openapi: "3.1.0",
    info: {
      title: "Parley",
      version: readHostVersion(),
      description: "The service's REST interface.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/", description: "This service." }],
    security: SIGNED_IN,
    tags: tags.map((name) => ({ name, description: `What lies at \`${name}\`.` })),
    paths,
    components: {
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "A login token or an API key." },
        cookie: { type: "apiKey", in: "cookie", name: "svc_auth_token", description: "The console's login." },
      },
      parameters: PARAMETERS,
      responses: { Failure: FAILURE_RESPONSE },
      schemas: { Failure: FAILURE_SCHEMA, ...Object.fromEntries([...named].sort(([a], [b]) => (a < b ? -1 : 1))) },
    },
  });
}

/** Adds `additionalProperties: true` to objects that do not mention further fields, for generators that assume none. */
function openObjects(value: unknown): object {
  if (Array.isArray(value)) return value.map((one) => (isObject(one) ? openObjects(one) : one));
  const entries = Object.entries(value as object).map(([key, one]) => [key, isObject(one) ? openObjects(one) : one]);
  const schema = Object.fromEntries(entries) as { readonly type?: unknown; readonly additionalProperties?: unknown };
  const isOpen = [schema.type].flat().includes("object") && schema.additionalProperties === undefined;
  return isOpen && !("patternProperties" in schema) ? { ...schema, additionalProperties: true } : schema;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Returns the group of a path: `ai-models` for `/api/ai-models/…`. */
export function toGroupName(path: string): string {
  const [first = "", second = ""] = path.split("/").slice(1);
  const name = first === "api" ? second : first;
  return name.replaceAll(/[{}*]/g, "") || "pages";
}

/** Returns the operation id of a route; constant as long as method and path are. */
export function toOperationId({ method, path }: Pick<Route, "method" | "path">): string {
  const words = path
    .replace(/^\/api\//, "")
    .replace(/^\//, "root_")
    .replaceAll(/\{(\w+)\*?\}/g, "by_$1")
    .replaceAll(/[^A-Za-z0-9]+/g, "_")
    .replace(/_$/, "");
  return `${method.toLowerCase()}_${words}`;
}

const SIGNED_IN = [{ bearer: [] }, { cookie: [] }];
const FAILURE_SCHEMA = {
  type: "object",
  required: ["success", "error", "code"],
  additionalProperties: false,
  properties: {
    success: { const: false },
    error: { type: "string", description: "A sentence for people." },
    code: { enum: Object.keys(HTTP_STATUS) },
  },
};
const FAILURE_RESPONSE = {
  description: "A failure.",
  headers: {
    "X-Parley-Error": {
      description:
        "Its key, the field it is about, its parameters, its sentence in Chinese (`chinese`, where it brings one along) and what else is wrong (`others`), as JSON: for those who show it in another language or at its fields.",
      schema: { type: "string" },
    },
  },
  content: { "application/json": { schema: { $ref: "#/components/schemas/Failure" } } },
};
const PARAMETERS = {
  IfMatch: {
    name: "If-Match",
    in: "header",
    description: 'The revision that is changed, like `"3"`; another one is a conflict.',
    schema: { type: "string" },
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description: "The same for a repeat of a request that may have arrived: it is done once.",
    schema: { type: "string" },
  },
};

function toOperation(route: Route, describe: Describe): object {
  const scope = route.scope ?? toDefaultScope(route.method);
  const isOpen = route.auth === "open";
  const failure = { $ref: "#/components/responses/Failure" };
  return {
    operationId: toOperationId(route),
    summary: route.summary,
    tags: [toGroupName(route.path)],
    security: isOpen ? [] : SIGNED_IN,
    ...(!isOpen && { description: `Needs the scope \`${scope}\`.` }),
    parameters: [
      ...listPathParameters(route, describe),
      ...listQueryParameters(route.query, describe),
      ...listHeaders(route),
    ],
    ...toRequestBody(route, describe),
    responses: { ...toResponses(route, describe), "4XX": toErrorResponse(route, describe) ?? failure, "5XX": failure },
  };
}

function toErrorResponse({ refused }: Route, describe: Describe): object | undefined {
  if (!refused) return undefined;
  const schema = { anyOf: [describe(refused), { $ref: "#/components/schemas/Failure" }] };
  return { description: "A refusal.", content: { "application/json": { schema } } };
}

function listHeaders({ method, auth, reply }: Route): readonly object[] {
  if (auth === "open" || reply === "raw") return [];
  if (method === "PUT") return [{ $ref: "#/components/parameters/IfMatch" }];
  return method === "POST" ? [{ $ref: "#/components/parameters/IdempotencyKey" }] : [];
}

const FILE_FORM = {
  type: "object",
  additionalProperties: false,
  properties: { file: { type: "string", format: "binary" } },
  required: ["file"],
};

function toRequestBody({ payload, body }: Route, describe: Describe): object {
  if (payload === "raw") return { requestBody: { content: { "*/*": {} } } };
  if (!body) return {};
  if (payload === "document") {
    const form = { "multipart/form-data": { schema: describe(body) } };
    return { requestBody: { required: true, content: { ...toJsonContent({ type: "object" }), ...form } } };
  }
  const schema = describe(body) as { readonly required?: readonly string[] };
  const required = (schema.required ?? []).length > 0;
  const content =
    payload === "multipart" || payload === "upload"
      ? { "multipart/form-data": { schema } }
      : {
          ...toJsonContent(schema),
          ...(payload === "json-or-file" && { "multipart/form-data": { schema: FILE_FORM } }),
        };
  return { requestBody: { ...(required && { required }), content } };
}

function toResponses({ reply, data, accepted }: Route, describe: Describe): object {
  if (reply === "raw")
    return { 200: { description: "The content itself.", content: toContent(data as RawData, describe) } };
  const toEnvelopeSchema = (description: string, schema: object) => {
    const properties = { success: { const: true }, data: schema, message: { type: "string" } };
    return {
      description,
      content: toJsonContent({
        type: "object",
        required: ["success", "data", "message"],
        additionalProperties: false,
        properties,
      }),
    };
  };
  return {
    200: toEnvelopeSchema("Success.", describe(data as Schema)),
    ...(accepted && { 202: toEnvelopeSchema("Taken in, and not done yet.", describe(accepted)) }),
  };
}

function toContent(data: RawData, describe: Describe): object {
  return Object.fromEntries(Object.entries(data).map(([kind, schema]) => [kind, { schema: describe(schema) }]));
}

function listPathParameters({ path, params = {} }: Route, describe: Describe): readonly object[] {
  const schemas: Readonly<Record<string, Schema | undefined>> = params;
  return [...path.matchAll(/\{(\w+)\*?\}/g)].map(([, name = ""]) => {
    const schema = schemas[name];
    return { name, in: "path", required: true, schema: schema ? describe(schema) : { type: "string" } };
  });
}

function listQueryParameters(query: Schema | undefined, describe: Describe): readonly object[] {
  if (!query) return [];
  const { properties = {}, required = [] } = describe(query) as {
    properties?: Record<string, { readonly description?: string }>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: "query",
    ...(description !== undefined && { description }),
    ...(required.includes(name) && { required: true }),
    schema,
  }));
}

function createDescribe(naming: NamingOptions): Describe {
  return (schema) => {
    const { $schema: _dialect, ...rest } = jsonSchemaOf(schema, naming) as { $schema?: string };
    return rest;
  };
}

function toJsonContent(schema: object): object {
  return { "application/json": { schema } };
}

function toOpenApiPath(path: string): string {
  return path.replaceAll(/\{(\w+)\*\}/g, "{$1}");
}
