import { type ErrorCode, ParleyError, type ParleyErrorInit } from "./error.ts";

/** An HTTP response, whichever transport sent the request. */
export interface RawAnswer {
  readonly status: number;
  readonly text: string;
  /** The value of a header by its lower-case name; null where the response has none. */
  header(name: string): string | null;
}

export interface Answer<Data> {
  readonly data: Data;
  /** The service's message; "" where it has none. */
  readonly message: string;
  /** 202: accepted, but not completed yet. */
  readonly status: number;
}

/** Returns the data of a successful response; throws a `ParleyError` for every other one. */
export function readAnswer<Data>({ status, text, header }: RawAnswer): Answer<Data> {
  const body = parseObject(text);
  const isSuccess = status >= 200 && status < 300;
  if (isSuccess && body?.success === true) {
    return { data: body.data as Data, message: String(body.message ?? ""), status };
  }
  const detail = (parseObject(header("x-parley-error") ?? "") ?? {}) as Partial<ParleyErrorInit>;
  const { key, field, params, others } = detail;
  throw new ParleyError({
    code: (body?.code as ErrorCode | undefined) ?? "unexplained",
    message: String(body?.error ?? `the service answered ${status}`),
    status,
    key,
    field,
    params,
    others,
    retryAfterS: Number(header("retry-after")) || undefined,
    requestId: header("x-request-id") ?? undefined,
  });
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
