const SECRET_NAME =
  /(?:token|secret|password|passwd|pwd|auth|authorization|cookie|credentials?|(?:api|access|private|subscription|auth|app|client)[-_]?key|signature|sig|^(?:x-)?key|^code)$/i;
const PARAMETER = /([?&])([^=&#?]+)=([^&#]*)/g;
const ADDRESS_USER = /(\b[a-z][a-z0-9+.-]{0,20}:\/\/)([^/?#\\@:\s]*:)?([^/?#\\\s]*)@/gi;
const PLACEHOLDER = /\{\{[^{}]*\}\}/g;
const SCHEME = /^(?:Bearer|Basic|Token|Digest|ApiKey)?\s*$/i;
const SCHEME_AND_TOKEN = /^((Bearer|Basic|Digest|ApiKey)\s+)(.+)$/is;
const FLAG = /^--?([\w.-]+)$/;
const NAME_AND_VALUE = /^(-{0,2}([\w.-]+)(?:=|:\s*))(.+)$/s;
const VISIBLE_COUNT = 4;
const FULLY_MASKED_BELOW = 12;
const MASK = /^\*{4}.{0,4}$/su;

/** Maps a secret to its replacement; `to` names its receiver. */
export type ChangeSecret = (secret: string, place: string, to: string) => string;

/** Place of a field in its record, and its receiver. */
export interface SecretLocation {
  readonly at: string;
  readonly to: string;
}

type Form = (value: unknown, where: SecretLocation, change: ChangeSecret) => unknown;

/** Forms in which a field may contain secrets. Values of another shape stay unchanged. */
export const SECRET_FORMS = {
  /** Secrets in the address's user part and parameters. */
  address: (value, where, change) => (isText(value) ? changeInAddress(value, withServer(value, where), change) : value),
  /** Secrets in every address of an object, at any depth. */
  addresses: changeInAddresses,
  /** Program arguments: a secret follows an option or is part of it (`--token x`, `--token=x`, `Bearer x`), or is part of an address. */
  arguments: changeInArguments,
  /** Values marked by field names at any depth, in an object or a text: JSON, XML or a form. */
  values: (value, where, change) =>
    isText(value) ? changeInText(value, where, change) : changeInValue(value, where, change),
} as const satisfies Readonly<Record<string, Form>>;

/** Returns the mask shown instead of a secret. */
export function maskOf(secret: string): string {
  if (isMask(secret)) return secret;
  return secret.length < FULLY_MASKED_BELOW ? "****" : `****${secret.slice(-VISIBLE_COUNT)}`;
}

/** Returns true when the text is a mask. */
export function isMask(text: string): boolean {
  return MASK.test(text);
}

/** Returns a text with the secrets in its addresses masked. */
export function maskAddresses(text: string): string {
  if (!text.includes("://")) return text;
  const masked = (address: string) => changeInAddress(address, { at: "", to: "" }, maskOf);
  return text.replaceAll(/\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s"'<>]+/gi, masked);
}

/** Returns protocol and host of an address, or the text itself when it is no URL. */
export function toServer(address: unknown): string {
  const url = URL.parse(String(address));
  return url ? `${url.protocol}//${url.host}` : String(address);
}

function withServer(address: string, { at, to }: SecretLocation): SecretLocation {
  return { at, to: `${to}${toServer(address)}` };
}

/** Numbers repeated names, since each is a different place. */
function createPlaceNames(at: string): (name: string) => string {
  const times = new Map<string, number>();
  return (name) => {
    const time = (times.get(name) ?? 0) + 1;
    times.set(name, time);
    return time === 1 ? `${at}.${name}` : `${at}.${name}#${time}`;
  };
}

function changeInAddress(address: string, { at, to }: SecretLocation, change: ChangeSecret): string {
  const place = createPlaceNames(at);
  return address
    .replaceAll(ADDRESS_USER, (whole: string, scheme: string, user: string | undefined, secret: string) =>
      secret === "" ? whole : `${scheme}${user ?? ""}${change(secret, place("@"), to)}@`,
    )
    .replaceAll(PARAMETER, (whole: string, mark: string, name: string, value: string) =>
      isSecret(name, value) ? `${mark}${name}=${change(value, place(name), to)}` : whole,
    );
}

function changeInAddresses(value: unknown, { at, to }: SecretLocation, change: ChangeSecret): unknown {
  if (isText(value))
    return value.includes("://") ? changeInAddress(value, withServer(value, { at, to }), change) : value;
  return mapEntries(value, (inner, name) => changeInAddresses(inner, { at: `${at}.${name}`, to }, change));
}

function changeInArguments(value: unknown, { at, to }: SecretLocation, change: ChangeSecret): unknown {
  if (!Array.isArray(value)) return value;
  const place = createPlaceNames(at);
  return value.map((one: unknown, index) => {
    if (!isText(one)) return one;
    const option = FLAG.exec(String(value[index - 1]))?.[1];
    if (option && isSecret(option, one) && !isOption(one)) return change(one, place(option), to);
    const [, start = "", name = "", secret = ""] = NAME_AND_VALUE.exec(one) ?? [];
    if (isSecret(name, secret)) return `${start}${change(secret, place(name), to)}`;
    const [, scheme, word = "", token = ""] = SCHEME_AND_TOKEN.exec(one) ?? [];
    return scheme
      ? `${scheme}${change(token, place(word), to)}`
      : changeInAddress(one, { at: place("address"), to }, change);
  });
}

/** Returns true for an option such as `--token` or `-t`; a longer argument with one dash may be a token. */
function isOption(argument: string): boolean {
  return argument.startsWith("--") || /^-.?$/.test(argument);
}

/** Returns the pattern of name-value pairs for a text, by the way it begins. */
function choosePairPattern(text: string): RegExp {
  const start = text.trimStart();
  if (start.startsWith("<")) return /(<([\w:.-]+)(?:\s[^<>]*)?>)([^<]+)(?=<\/)/g;
  if (/^(?:\[|\{(?!\{))/.test(start)) return /("([^"\\]{1,200})"\s*:\s*")((?:[^"\\]|\\.)*)(?=")/g;
  return /((?:^|[&?\n])([\w.-]+)=)([^&\s]*)/g;
}

function changeInText(text: string, { at, to }: SecretLocation, change: ChangeSecret): string {
  const place = createPlaceNames(at);
  return text.replaceAll(choosePairPattern(text), (whole: string, start: string, name: string, value: string) =>
    isSecret(name, value) ? `${start}${change(value, place(name), to)}` : whole,
  );
}

function changeInValue(value: unknown, { at, to }: SecretLocation, change: ChangeSecret): unknown {
  const isNamed = !Array.isArray(value);
  return mapEntries(value, (inner, name) => {
    const place = `${at}.${name}`;
    if (!isText(inner)) return changeInValue(inner, { at: place, to }, change);
    return isNamed && isSecret(name, inner) ? change(inner, place, to) : inner;
  });
}

/** Applies `change` to the values of a list or object; returns anything else unchanged. */
function mapEntries(value: unknown, change: (inner: unknown, name: string) => unknown): unknown {
  if (Array.isArray(value)) return value.map((inner, index) => change(inner, String(index)));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, change(inner, name)]));
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isSecret(name: string, value: string): boolean {
  return SECRET_NAME.test(name) && !SCHEME.test(value.replaceAll(PLACEHOLDER, ""));
}
