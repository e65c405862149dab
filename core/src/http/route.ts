import type { Readable } from "node:stream";
import Joi, { type CustomHelpers, type ObjectSchema, type Schema } from "@hapi/joi";
import { type ExtensionPoint, extensionPoint } from "../extension-point.ts";
import { type Caller, SCOPES, type Scope } from "../services/operations/accounts.ts";
import { anySchema, anySchemaProblem, functionSchema, objectSchema, validateWith } from "../validation/joi-schemas.ts";

/** A request as a route receives it: validated by the route's schemas, and authenticated as required. */
export interface RouteRequest<Path extends string = string, Body = unknown, Query = unknown> {
  readonly params: { readonly [Name in ParamName<Path>]: string };
  readonly query: Query;
  readonly body: Body;
  /** The caller; on `open` routes its kind may be `anonymous`. */
  readonly caller: Caller;
  readonly requestId: string;
  /** The client's address, trusted proxies resolved. */
  readonly address: string;
  /** `https://host[:port]` as the client sees this service, from trusted headers only. */
  readonly origin: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The revision of `If-Match`, when sent. */
  readonly ifMatch: number | undefined;
  /** Multipart parts in the order sent; empty for other bodies. */
  readonly parts: readonly Part[];
  /** Multipart parts as they arrive, each read before the next; only with payload `upload`, else empty. */
  readonly upload: AsyncIterable<UploadPart>;
  /** Aborts when the client disconnects or the route's timeout passes. */
  readonly signal: AbortSignal;
}

/** One complete part of a form. */
export interface Part {
  readonly name: string;
  /** File name as sent; present for files. Never used as a path. */
  readonly filename?: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** One part of an upload: a file as a stream, or a field. */
export type UploadPart =
  | { readonly name: string; readonly filename: string; readonly body: AsyncIterable<Uint8Array> }
  | { readonly name: string; readonly value: string };

/** Form of a route's request body; the contract decides which routes differ from `json`. */
export type PayloadKind =
  /** `application/json`; an empty body counts as `{}`. */
  | "json"
  /** JSON as the body or as the multipart part `file`; for imports. A list is accepted too, as the `items` of an object. */
  | "json-or-file"
  /**
   * JSON as the body, or any file as the multipart part `file`, with options as further parts: the route reads the
   * bytes in `parts` itself; `body` only describes the form. For untrusted files other than JSON.
   */
  | "document"
  /** `multipart/form-data`; text parts become `body`, all of them are in `parts`. */
  | "multipart"
  /** `multipart/form-data` that may be too large for memory: the route reads `upload`; `body` only describes it. */
  | "upload"
  /** `parts` contains one unnamed part with the bytes as received; for webhooks. */
  | "raw";

/** Content types of a raw route's answer (`image/*` for all of a kind), each with its schema. */
export type RawData = Readonly<Record<string, Schema>>;

/** One route of a route table. Omitted fields have the safe default. */
export interface Route<Path extends string = string, Body = unknown, Query = unknown> {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** `/api/skills/{skill_id}`; `/static/files/{name*}` for everything below, after a fixed part. */
  readonly path: Path;
  /** One sentence for the API page. */
  readonly summary: string;
  /** Default `login`; `open` must be written out. */
  readonly auth?: "login" | "open";
  /** Default: `read` for GET, `write` for the rest. Unused on `open` rows. */
  readonly scope?: Scope;
  /** Default `envelope`; `raw` rows return a `RawReply`. */
  readonly reply?: "envelope" | "raw";
  /** Without a schema the route accepts no body. Unknown keys are rejected unless the schema allows them. */
  readonly body?: ObjectSchema<Body>;
  /** Schemas of path parameters with a closed set of values. Only for the API description; the route itself rejects other values. */
  readonly params?: { readonly [Name in ParamName<Path>]?: Schema };
  /** Unknown query keys are ignored. */
  readonly query?: ObjectSchema<Query>;
  /** Schema of `data`, or content types of a raw route. Checked against every answer in tests, not in production. */
  readonly data: Schema | RawData;
  /** The shape of `data` with status 202, where the row may answer so. */
  readonly accepted?: Schema;
  /** Schema of a raw route's rejections in the form of another standard; the service's own rejections keep their form. */
  readonly refused?: Schema;
  readonly payload?: PayloadKind;
  /** Default 2 MiB. */
  readonly maxBytes?: number;
  /** Default 30,000; `false` for rows that wait for a model, a platform or a converter. */
  readonly timeoutMs?: number | false;
  /** Returns the value of `data`, a `Reply` with more, or a `RawReply` on raw routes. */
  run(request: RouteRequest<Path, Body, Query>): unknown;
  /**
   * Returns the reason the route accepts no request now, else undefined. Called before the body is read and answered
   * with `unavailable`. For routes of platforms that retry.
   */
  busy?(request: Pick<RouteRequest<Path>, "params" | "address">): Busy | undefined;
  /** Returns true for a request that needs no login because it carries its own proof, such as a signed link. */
  admits?(path: string, query: Readonly<Record<string, string | undefined>>): boolean;
}

/** Reason a request is not accepted for now. */
export interface Busy {
  /** A sentence that is safe to show. */
  readonly reason: string;
  /** Whole seconds until a retry can succeed; becomes `Retry-After`. */
  readonly retryAfterS: number;
  /** Resolves, after a tenth of a second at most, to the reason that is left, if any. Called before a request is rejected; absent for lasting reasons. */
  wait?(): Promise<Busy | undefined>;
  /** Trace id in the gateway log; becomes `X-Trace-Id`. */
  readonly traceId?: string;
}

type ParamName<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${infer Bare}*` ? Bare : Name) | ParamName<Rest>
  : never;

/**
 * Types a route's parameters by its path, and its body and query by their schemas. A raw route must return
 * `rawReply(…)`; anything else is answered as an internal error.
 */
export function route<const Path extends string, Body = undefined, Query = undefined>(
  row: Route<Path, Body, Query>,
): Route {
  return row as unknown as Route;
}

const REPLY = Symbol.for("parley:reply");
const RAW_REPLY = Symbol.for("parley:raw-reply");

/** An enveloped answer with more than data. */
export interface Reply {
  readonly data: unknown;
  readonly message?: string;
  /** Default 200; 202 for work that was only queued. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Creates an answer in the envelope with its own status, headers or message. */
export function reply(parts: Reply): Reply {
  return { [REPLY]: true, ...parts } as Reply;
}

/** An answer that is not enveloped: a page, a file, a webhook acknowledgement. */
export interface RawReply {
  readonly body: string | Uint8Array | Readable;
  /** The content type. */
  readonly type: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Creates an answer that is sent without the envelope. */
export function rawReply(parts: RawReply): RawReply {
  return { [RAW_REPLY]: true, ...parts } as RawReply;
}

/** Returns true when an answer carries its own status, headers or message. */
export function isReply(value: unknown): value is Reply {
  return typeof value === "object" && value !== null && REPLY in value;
}

/** Returns true when an answer is sent without the envelope. */
export function isRawReply(value: unknown): value is RawReply {
  return typeof value === "object" && value !== null && RAW_REPLY in value;
}

/** Routes that belong together. */
export type RouteTable = readonly Route[];

const TEXT = "[\\w!$&'()+,;=:@.~-]";
const SEGMENT = `(?:${TEXT}+(?:\\{\\w+\\}${TEXT}*)?|\\{\\w+\\}${TEXT}*)`;
const PATH = new RegExp(`^(?:/|(?:/${SEGMENT})+/?|(?:(?:/${SEGMENT})*/${TEXT}+)?/\\{\\w+\\*\\})$`);

const routePath = Joi.string().custom((path: string, { message }: CustomHelpers) => {
  const names = [...path.matchAll(/\{(\w+)/g)].map(([, name]) => name);
  const isPath = PATH.test(path) && new Set(names).size === names.length;
  return isPath ? path : message({ custom: "{{#label}} is no path like '/api/skills/{skill_id}'" });
});

const routeShape = Joi.object<Route>({
  method: Joi.valid("GET", "POST", "PUT", "DELETE").required(),
  path: routePath.required(),
  summary: Joi.string().required(),
  auth: Joi.valid("login", "open"),
  scope: Joi.valid(...SCOPES),
  reply: Joi.valid("envelope", "raw"),
  body: objectSchema,
  params: Joi.object().pattern(/^/, anySchema),
  query: objectSchema,
  accepted: anySchema,
  refused: anySchema,
  payload: Joi.valid("json", "json-or-file", "document", "multipart", "upload", "raw"),
  maxBytes: Joi.number().integer().positive(),
  timeoutMs: Joi.alternatives(Joi.number().positive(), Joi.valid(false)),
  run: functionSchema.required(),
  busy: functionSchema,
  admits: functionSchema,
})
  .unknown()
  .custom((row: Route, { message }: CustomHelpers) => {
    const problem = dataProblem(row);
    return problem ? message({ custom: `row '${routeName(row)}' ${problem}` }) : row;
  });

const rawData = Joi.object()
  .pattern(/^[\w*.+-]+\/[\w*.+-]+$/, anySchema)
  .min(1)
  .required();

function dataProblem({ reply: kind, data }: Route): string | undefined {
  if (data === undefined) return "does not say what it answers: data";
  if (kind === "raw") {
    const isRaw = !Joi.isSchema(data) && !rawData.validate(data).error;
    return isRaw ? undefined : "does not say what it sends: data, by content type";
  }
  const problem = anySchemaProblem(data);
  return problem && `does not say what it answers: data ${problem}`;
}

/** REST routes; the host applies auth, validation, envelope, description and error handling to them. */
export const RouteTables: ExtensionPoint<RouteTable> = extensionPoint("route-tables", {
  accept: validateWith(Joi.array().items(routeShape.required())),
  unique: { kind: "row", names: (table) => table.map(routeName) },
  ends: ["run"],
});

/** Returns the identity of a route: paths that differ only in parameter names are equal. */
export function routeName({ method, path }: Pick<Route, "method" | "path">): string {
  return `${method} ${path.replaceAll(/\{\w+(\*?)\}/g, "{$1}")}`;
}
