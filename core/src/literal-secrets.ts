import { explainedAs } from "./error-texts.ts";
import type { SecretBox } from "./services/secret-box.ts";

const NAME =
  /(?:token|secret|password|passwd|pwd|auth|authorization|cookie|credentials?|(?:api|access|private|subscription|auth|app|client)[-_]?key|signature|sig|^(?:x-)?key|^code)$/i;
const PARAMETER = /([?&])([^=&#?]+)=([^&#]*)/g;
const PLACEHOLDER = /\{\{[^{}]*\}\}/g;
const SCHEME = /^(?:Bearer|Basic|Token|Digest|ApiKey)?\s*$/i;
const SHOWN = 4;
const SHORT = 12;
const MASK = /^\*{4}.{0,4}$/su;

/** A request of people's own: its `url`, `headers`, `query` and `body` may have secrets written into them. */
export type LiteralRequest = object;

interface Written {
  readonly url?: unknown;
  readonly headers?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
}

/** Secrets by their place, such as `headers.Authorization`. */
export type SecretsByPlace = Readonly<Record<string, string>>;
type Change = (value: string, place: string) => string;

/**
 * The same request, its secrets changed: headers, parameters of the address and fields of the body that are secrets by their name.
 * A value that is nothing but an argument, like `Bearer {{token}}`, is none.
 */
export function mapLiteralSecrets<Request extends LiteralRequest>(request: Request, change: Change): Request {
  const { url, headers, query, body }: Written = request;
  const mapped = {
    ...(typeof url === "string" && { url: mapAddress(url, change) }),
    ...(isRecord(headers) && { headers: mapRecord(headers, "headers", change) }),
    ...(isRecord(query) && { query: mapRecord(query, "query", change) }),
    ...(typeof body === "object" && body !== null && { body: mapAny(body, "body", change) }),
  };
  return { ...request, ...mapped };
}

/** As people see it. */
export function maskLiteralSecrets<Request extends LiteralRequest>(request: Request): Request {
  return mapLiteralSecrets(request, maskOf);
}

/** Those that stand in it, but for masks. */
export function literalSecretsIn(request: LiteralRequest): SecretsByPlace {
  const found: Record<string, string> = {};
  mapLiteralSecrets(request, (value, place) => {
    if (!MASK.test(value)) found[place] = value;
    return value;
  });
  return found;
}

/** What is sent back masked is what is there; `unfit` says what becomes of a mask that stands for nothing. */
export function unmaskLiteralSecrets<Request extends LiteralRequest>(
  request: Request,
  there: SecretsByPlace,
  unfit: (place: string) => string,
): Request {
  return mapLiteralSecrets(request, (value, place) => {
    if (!MASK.test(value)) return value;
    const kept = Object.hasOwn(there, place) ? there[place] : undefined;
    return kept !== undefined && maskOf(kept) === value ? kept : unfit(place);
  });
}

/** The secrets of `old` that `next` may be given unseen: none where it goes to another server. */
export function secretsStaying(old: LiteralRequest | undefined, next: LiteralRequest): SecretsByPlace {
  return old && serverOf(old) === serverOf(next) ? literalSecretsIn(old) : {};
}

/** Says that a mask stands for nothing: the secret has to be typed in anew. */
export function refuseMask(place: string): never {
  const said = {
    en: "{place} is masked: type it anew, as the address is another one or nothing is kept there",
    zh: "{place} 已被遮盖：地址已更改或此处未保存任何值，请重新输入",
  };
  throw explainedAs("bad_request", "secret.masked", said, { params: { place } });
}

/** A request as it is stored: masked, its secrets beside it, encrypted. */
export type SealedRequest<Request> = Request & { readonly sealed?: string };

/** As it is stored; `owner` is the id of its record, and the same is needed to open it. */
export function sealLiteralSecrets<Request extends LiteralRequest>(
  request: Request,
  box: SecretBox,
  owner: string,
): SealedRequest<Request> {
  const secrets = literalSecretsIn(request);
  if (Object.keys(secrets).length === 0) return request;
  return { ...maskLiteralSecrets(request), sealed: box.seal(JSON.stringify(secrets), owner) };
}

/** As it was. What was stored before it was sealed is as it is; throws `unavailable` where the key is another one. */
export function openLiteralSecrets<Request extends LiteralRequest>(
  request: SealedRequest<Request>,
  box: SecretBox,
  owner: string,
): Request {
  const { sealed, ...plain } = request;
  if (sealed === undefined) return request;
  const secrets = JSON.parse(box.open(sealed, owner)) as SecretsByPlace;
  return mapLiteralSecrets(plain as unknown as Request, (value, place) => secrets[place] ?? value);
}

function serverOf({ url }: Written): string {
  return /^[^/?#]*\/\/[^/?#]*/.exec(String(url ?? ""))?.[0].toLowerCase() ?? "";
}

function maskOf(secret: string): string {
  if (MASK.test(secret)) return secret;
  return secret.length < SHORT ? "****" : `****${secret.slice(-SHOWN)}`;
}

function mapAddress(url: string, change: Change): string {
  const seen = new Map<string, number>();
  return url.replaceAll(PARAMETER, (whole: string, mark: string, name: string, value: string) => {
    if (!isSecret(name, value)) return whole;
    const times = (seen.get(name) ?? 0) + 1;
    seen.set(name, times);
    return `${mark}${name}=${change(value, times === 1 ? `url.${name}` : `url.${name}#${times}`)}`;
  });
}

function mapRecord(record: Readonly<Record<string, unknown>>, at: string, change: Change) {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => {
      const place = `${at}.${name}`;
      if (typeof value === "string") return [name, isSecret(name, value) ? change(value, place) : value];
      return [name, mapAny(value, place, change)];
    }),
  );
}

function mapAny(value: unknown, at: string, change: Change): unknown {
  if (Array.isArray(value)) return value.map((one, index) => mapAny(one, `${at}.${index}`, change));
  return isRecord(value) ? mapRecord(value, at, change) : value;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isSecret(name: string, value: string): boolean {
  return NAME.test(name) && !SCHEME.test(value.replaceAll(PLACEHOLDER, ""));
}
