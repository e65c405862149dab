/** A failure the service explained, in a sentence for people. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: string;
  readonly status: number;

  constructor(code: string, message: string, status: number) {
    super(message);
    this.code = code;
    this.status = status;
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

async function call<Data>(method: string, path: string, body?: object | FormData): Promise<Data> {
  const isForm = body instanceof FormData;
  const response = await fetch(path, {
    method,
    credentials: "same-origin",
    ...(body && !isForm && { headers: { "content-type": "application/json" } }),
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
  }).catch(() => {
    throw new ApiError("network", "the service cannot be reached", 0);
  });
  const answer = await response.json().catch(() => undefined);
  if (response.ok && answer?.success) return answer.data;
  if (response.status === 401 && path !== "/api/login") whenSignedOut();
  throw new ApiError(
    answer?.code ?? "internal",
    answer?.error ?? `the service answered ${response.status}`,
    response.status,
  );
}

export const api = {
  get: <Data>(path: string) => call<Data>("GET", path),
  post: <Data>(path: string, body: object = {}) => call<Data>("POST", path, body),
  put: <Data>(path: string, body: object) => call<Data>("PUT", path, body),
  remove: <Data>(path: string) => call<Data>("DELETE", path),
};

export function query(values: Readonly<Record<string, string | number | boolean | undefined>>): string {
  const used = Object.entries(values).filter(([, value]) => value !== undefined && value !== "");
  return new URLSearchParams(used.map(([key, value]) => [key, String(value)])).toString();
}
