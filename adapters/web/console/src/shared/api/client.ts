import {
  type components,
  createParley,
  type DataOf,
  ParleyError,
  type PathOf,
  type paths,
  readAnswer,
} from "@parley/client";
import { syncServiceClock } from "./service-clock.ts";

export { ParleyError as ApiError };

/** Response types by their name in the API description. */
export type Shapes = components["schemas"];

/** Called when a request finds that the login has ended; shows the sign-in form. */
let signedOutListener: () => void = () => {};
export function onSignedOut(listener: () => void): void {
  signedOutListener = listener;
}

/** Returns the language for messages of the service. */
export let readLanguage: () => string = () => "en";
export function setAnswerLanguage(read: () => string): void {
  readLanguage = read;
}

export function reportFailure({ status }: ParleyError, path: string): void {
  if (status === 401 && path !== "/api/login") signedOutListener();
}

/** The client of the service that served this page. */
export const parley = createParley({ baseUrl: "", onFailure: reportFailure, fetch: sendRequest });

async function sendRequest(request: Request): Promise<Response> {
  request.headers.set("accept-language", readLanguage());
  const response = await fetch(request);
  syncServiceClock(response.headers.get("date"));
  return response;
}

/** Sends or fetches a file or form; like the client, throws `ApiError` and reports an ended login. */
export async function fetchRaw(path: string, init: RequestInit = {}): Promise<Response> {
  const { signal } = init;
  const headers = new Headers(init.headers);
  headers.set("accept-language", readLanguage());
  const response = await fetch(path, { credentials: "same-origin", ...init, headers }).catch((cause) => {
    signal?.throwIfAborted();
    throw new ParleyError({ code: "network", message: String(cause), status: 0 });
  });
  if (!response.ok) await readData(path, response);
  return response;
}

/** Like `fetchRaw`, but returns the `data` of the response. */
export async function fetchData<Data>(path: string, init: RequestInit = {}): Promise<Data> {
  return readData<Data>(path, await fetchRaw(path, init));
}

/** One part of a form: name, value, and for a file the file name if it differs. */
type FormPart = readonly [name: string, value: string | Blob, fileName?: string];

interface UploadTarget {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** Sends a form with files and returns the `data` of the response. */
export function uploadForm<Path extends PathOf<"post">>(
  path: Path,
  parts: readonly FormPart[],
  { path: pathParams = {}, query: queryParams = {}, signal }: UploadTarget = {},
): Promise<DataOf<"post", Path>> {
  const body = new FormData();
  for (const [name, value, fileName] of parts) {
    if (typeof value === "string") body.append(name, value);
    else if (fileName === undefined) body.append(name, value);
    else body.append(name, value, fileName);
  }
  const base = toUrl(path, pathParams);
  const url = Object.keys(queryParams).length > 0 ? `${base}?${toQueryString(queryParams)}` : base;
  return fetchData(url, { method: "POST", body, ...(signal && { signal }) });
}

async function readData<Data>(path: string, response: Response): Promise<Data> {
  const { status, headers } = response;
  try {
    return readAnswer<Data>({ status, text: await response.text(), header: (name) => headers.get(name) }).data;
  } catch (error) {
    if (error instanceof ParleyError) reportFailure(error, path);
    throw error;
  }
}

/** Returns the URL of a route with its parameters, for links and for requests without the client. */
export function toUrl(path: keyof paths, pathParams: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(pathParams[name] ?? ""));
}

/** Sends a delete request that the browser completes after the page is closed; the response is ignored. */
export function deleteOnLeave(path: PathOf<"delete">, pathParams: Readonly<Record<string, string>>): void {
  void fetch(toUrl(path, pathParams), { method: "DELETE", keepalive: true });
}

export interface Listed<Item> {
  readonly items: readonly Item[];
  readonly total: number;
}

/** Finds a record in a list; throws `not_found` like the route of a single record. */
export function findById<Item extends { readonly id: string }>(
  { items }: Pick<Listed<Item>, "items">,
  id: string,
): Item {
  const found = items.find((item) => item.id === id);
  if (found) return found;
  throw new ParleyError({ code: "not_found", message: `'${id}' does not exist`, status: 404, params: { id } });
}

/** Handles a rejected deletion: rethrows the error unless the record is deleted already. */
export function ignoreNotFound(error: unknown): void {
  if (!(error instanceof ParleyError && error.code === "not_found")) throw error;
}

/** Returns the revision that an entity tag names. */
export function toRevision(etag: string): number {
  return Number(etag.replaceAll('"', ""));
}

/** Requests the largest page that the service returns. */
export const MAX_LIMIT_QUERY = { limit: 500 } as const;

/** True while the login of this browser is valid, and for any failed answer other than 401; rejects when the service is unreachable. */
export async function isSignedIn(): Promise<boolean> {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ optional: true });
  const response = await fetch("/api/verify-token", { method: "POST", credentials: "same-origin", headers, body });
  if (!response.ok) return response.status !== 401;
  const { data }: { readonly data: { readonly valid: boolean } } = await response.json();
  return data.valid;
}

/** Returns the error that explains why the login ended; null where the service knows none, or the login is valid. */
export async function fetchSignOutReason(): Promise<ParleyError | null> {
  try {
    await parley.get("/api/account/logins", { query: { limit: 1 } });
    return null;
  } catch (error) {
    if (error instanceof ParleyError) return error.key?.startsWith("accounts.") ? error : null;
    throw error;
  }
}

/** Encodes values as a query string, without those that are undefined or empty. */
export function toQueryString(values: Readonly<Record<string, string | number | boolean | undefined>>): string {
  const used = Object.entries(values).filter(([, value]) => value !== undefined && value !== "");
  return new URLSearchParams(used.map(([key, value]) => [key, String(value)])).toString();
}
