/** A failure the service explained, in a sentence for people. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: string;
  /** 0: the service could not be reached. */
  readonly status: number;
  /** Whole seconds until trying again makes sense. */
  readonly retryAfterS: number | undefined;

  constructor(code: string, message: string, status: number, retryAfterS?: number) {
    super(message);
    this.code = code;
    this.status = status;
    this.retryAfterS = retryAfterS;
  }
}

/** Called when the login has ended; the page shows the sign-in form then. */
let whenSignedOut: () => void = () => {};
export function onSignedOut(listener: () => void): void {
  whenSignedOut = listener;
}

export interface Listed<Item> {
  readonly items: readonly Item[];
  readonly total: number;
}

interface CallOptions {
  readonly body?: object | FormData;
  readonly signal?: AbortSignal | undefined;
  /** The same for a repeat whose first try may have arrived. */
  readonly key?: string | undefined;
  /** The revision that was seen; the change is refused when there is another one by now. */
  readonly ifMatch?: number | undefined;
}

/** What a call gave, and what the service has to say about it ("" for nothing). */
export interface Answered<Data> {
  readonly data: Data;
  readonly message: string;
}

async function call<Data>(method: string, path: string, options: CallOptions = {}): Promise<Data> {
  return (await answered<Data>(method, path, options)).data;
}

async function answered<Data>(
  method: string,
  path: string,
  { body, signal, key, ifMatch }: CallOptions = {},
): Promise<Answered<Data>> {
  const isForm = body instanceof FormData;
  const response = await fetch(path, {
    method,
    credentials: "same-origin",
    headers: {
      ...(body && !isForm && { "content-type": "application/json" }),
      ...(key && { "idempotency-key": key }),
      ...(ifMatch !== undefined && { "if-match": `"${ifMatch}"` }),
    },
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
    ...(signal && { signal }),
  }).catch(() => {
    throw new ApiError("network", "the service cannot be reached", 0);
  });
  const answer = await response.json().catch(() => undefined);
  return readAnswer(path, { status: response.status, answer, retryAfter: response.headers.get("retry-after") });
}

interface RawAnswer {
  readonly status: number;
  /** Undefined when it was no JSON. */
  readonly answer:
    | { readonly success?: boolean; readonly data?: unknown; readonly [text: string]: unknown }
    | undefined;
  readonly retryAfter: string | null;
}

/** What an answer gives; throws the failure that it tells of. */
export function readAnswer<Data>(path: string, { status, answer, retryAfter }: RawAnswer): Answered<Data> {
  const isFine = status >= 200 && status < 300;
  if (isFine && answer?.success) return { data: answer.data as Data, message: String(answer.message ?? "") };
  if (status === 401 && path !== "/api/login") whenSignedOut();
  throw new ApiError(
    String(answer?.code ?? "unexplained"),
    String(answer?.error ?? `the service answered ${status}`),
    status,
    Number(retryAfter) || undefined,
  );
}

/** Whether the login of this browser still holds; rejects when the service cannot be reached. */
export async function isSignedIn(): Promise<boolean> {
  const { status } = await fetch("/api/verify-token", { method: "POST", credentials: "same-origin" });
  return status !== 400 && status !== 401;
}

export const api = {
  call,
  get: <Data>(path: string, signal?: AbortSignal) => call<Data>("GET", path, { signal }),
  post: <Data>(path: string, body: object = {}) => call<Data>("POST", path, { body }),
  /** Done once, however often it is tried with the same key. */
  postOnce: <Data>(path: string, body: object, key: string) => call<Data>("POST", path, { body, key }),
  put: <Data>(path: string, body: object) => call<Data>("PUT", path, { body }),
  remove: <Data>(path: string) => call<Data>("DELETE", path),
  /** The same as the others, with what the service says about it. */
  answered,
};

export function query(values: Readonly<Record<string, string | number | boolean | undefined>>): string {
  const used = Object.entries(values).filter(([, value]) => value !== undefined && value !== "");
  return new URLSearchParams(used.map(([key, value]) => [key, String(value)])).toString();
}
