import createFetchClient, { type Client } from "openapi-fetch";
import { ParleyError } from "./error.ts";
import type { paths } from "./generated/schema.ts";
import type { CallArguments, DataOf, Method, PathOf } from "./operations.ts";
import { type Answer, readAnswer } from "./read-answer.ts";

export interface ParleyOptions {
  /** `http://127.0.0.1:5000`; "" in a page that the service itself serves. */
  readonly baseUrl: string;
  /** An API key or a login token. Without it a browser's cookie is used. */
  readonly key?: string;
  /** Default: `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** Called with every failure before it is thrown. */
  readonly onFailure?: (error: ParleyError, path: string) => void;
}

type Call<M extends Method> = <Path extends PathOf<M>>(
  path: Path,
  ...options: CallArguments<M, Path>
) => Promise<DataOf<M, Path>>;

/** The routes of the service: each resolves to the `data` of its response, and throws a `ParleyError` for a failure. */
export interface Parley {
  readonly get: Call<"get">;
  readonly post: Call<"post">;
  readonly put: Call<"put">;
  readonly delete: Call<"delete">;
  /** Like the methods above, but returns the whole answer with the service's message and the status. */
  answer<M extends Method, Path extends PathOf<M>>(
    method: M,
    path: Path,
    ...options: CallArguments<M, Path>
  ): Promise<Answer<DataOf<M, Path>>>;
  /** Calls a path that the API description does not contain, such as one of a third-party plugin; the caller validates the data. */
  request(method: Method | Uppercase<Method>, path: string, options?: RequestOptions): Promise<Answer<unknown>>;
  /** openapi-fetch's own client, for routes that accept files and other bodies. */
  readonly raw: Client<paths>;
}

/** The arguments of `Parley.request`. */
export interface RequestOptions {
  readonly path?: object;
  readonly query?: object;
  readonly body?: object;
  readonly signal?: AbortSignal | undefined;
  readonly ifMatch?: number | undefined;
  readonly idempotencyKey?: string | undefined;
}
type UntypedRequest = (
  method: string,
  path: string,
  init: object,
) => Promise<{ readonly data?: string; readonly error?: unknown; readonly response: Response }>;

/** Creates a client of one service. */
export function createParley({ baseUrl, key, fetch, onFailure }: ParleyOptions): Parley {
  const raw = createFetchClient<paths>({
    baseUrl,
    credentials: "same-origin",
    ...(fetch && { fetch }),
    ...(key !== undefined && { headers: { authorization: `Bearer ${key}` } }),
  });
  const request = raw.request as unknown as UntypedRequest;
  const sendRequest = async (method: string, path: string, options: RequestOptions = {}): Promise<Answer<unknown>> => {
    const { path: pathParams, query, body, signal, ifMatch, idempotencyKey } = options;
    const headers = {
      ...(ifMatch !== undefined && { "if-match": `"${ifMatch}"` }),
      ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
    };
    const params = { ...(pathParams && { path: pathParams }), ...(query && { query }) };
    const init = { params, headers, parseAs: "text", ...(body && { body }), ...(signal && { signal }) };
    const { data, error, response } = await request(method, path, init).catch((cause) => {
      signal?.throwIfAborted();
      throw new ParleyError({ code: "network", message: "the service cannot be reached", status: 0 }, { cause });
    });
    const text = response.ok ? (data ?? "") : typeof error === "string" ? error : JSON.stringify(error);
    return readAnswer({ status: response.status, text, header: (name) => response.headers.get(name) });
  };
  const answer = async (method: Method | Uppercase<Method>, path: string, options?: RequestOptions) => {
    try {
      return await sendRequest(method, path, options);
    } catch (error) {
      if (error instanceof ParleyError) onFailure?.(error, path);
      throw error;
    }
  };
  const call = (method: Method) => async (path: string, options?: RequestOptions) =>
    (await answer(method, path, options)).data;
  return {
    get: call("get"),
    post: call("post"),
    put: call("put"),
    delete: call("delete"),
    answer,
    request: answer,
    raw,
  } as unknown as Parley;
}
