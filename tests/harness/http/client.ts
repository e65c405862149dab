/** A complete response. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; undefined when it is not JSON. */
  readonly json: { success: boolean; data?: unknown; message?: string; error?: string; code?: string } | undefined;
}

export interface RequestOptions {
  /** Bytes and texts are sent unchanged, everything else as JSON. */
  readonly body?: object | string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: the client's own credential; "" sends none. */
  readonly token?: string;
}

/** A client of the REST interface over real HTTP. */
export interface Client {
  readonly address: string;
  readonly token: string;
  send(method: string, path: string, options?: RequestOptions): Promise<Answer>;
  /** Returns the `data` of a successful response; throws with the whole response otherwise. */
  get<Data>(path: string): Promise<Data>;
  post<Data>(path: string, body: object): Promise<Data>;
  put<Data>(path: string, body: object): Promise<Data>;
  /** Returns the same client with another credential. */
  as(token: string): Client;
}

export function createClient(address: string, token: string): Client {
  const send = async (method: string, path: string, options: RequestOptions = {}): Promise<Answer> => {
    const { body, query, headers, token: other = token } = options;
    const url = new URL(path, address);
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
    const response = await fetch(url, {
      method,
      headers: {
        // Client and server run in one process, so compression would only cost time.
        "accept-encoding": "identity",
        ...(other && { authorization: `Bearer ${other}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: isRawBody(body) ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: parseJson(text) };
  };
  const requestData = async <Data>(method: string, path: string, body?: object): Promise<Data> => {
    const answer = await send(method, path, body === undefined ? {} : { body });
    if (!answer.json?.success) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.json.data as Data;
  };
  return {
    address,
    token,
    send,
    get: (path) => requestData("GET", path),
    post: (path, body) => requestData("POST", path, body),
    put: (path, body) => requestData("PUT", path, body),
    as: (other) => createClient(address, other),
  };
}

function isRawBody(body: object | string): body is string | Uint8Array<ArrayBuffer> {
  return typeof body === "string" || body instanceof Uint8Array;
}

function parseJson(text: string): Answer["json"] {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
