import { coreTexts } from "../texts.ts";
import { type ChangeSecret, isMask, maskOf, SECRET_FORMS, toServer } from "./secret-forms.ts";

/** A field that may contain secrets, and the form in which it contains them. */
export interface LiteralField {
  /** Form of the field: an address, an object with addresses, program arguments, or values whose field names mark secrets. */
  readonly form: "address" | "addresses" | "arguments" | "values";
  /** Field that names the receiver of the secrets, besides the field's own addresses. */
  readonly to?: string;
  /** Name of the field in the places of stored secrets, where it differs. */
  readonly as?: string;
}

/** Secrets by their place, such as `headers.Authorization`. */
export type SecretsByPlace = Readonly<Record<string, string>>;

/** Fields of an HTTP request that may contain secrets. */
export const REQUEST_FIELDS = {
  url: { form: "address" },
  headers: { form: "values", to: "url" },
  query: { form: "values", to: "url" },
  body: { form: "values", to: "url" },
} as const satisfies Readonly<Record<string, LiteralField>>;

/** Field of a configuration package that carries a record's secrets as JSON. */
export const LITERAL_SECRETS = "written_secrets";

/** Secrets that people write into one kind of record, found by place and name. */
export interface LiteralSecrets<Item extends object> {
  /** Fields of the record that may contain secrets. */
  readonly fields: readonly string[];
  /** Field that contains all the others, if any; the encrypted secrets are stored in it too. */
  readonly within: string | undefined;
  /** Returns the secrets of a record except masks. A mere placeholder such as `Bearer {{token}}` does not count. */
  in(item: Partial<Item>): SecretsByPlace;
  /** Returns the record with its secrets masked, for people. */
  masked<Given extends Partial<Item>>(given: Given): Given;
  /** Returns the record with each mask replaced by its stored secret; other masks stay. */
  opened<Given extends Partial<Item>>(given: Given, stored: SecretsByPlace): Given;
  /**
   * Returns a submitted record with masks replaced by the secrets of `existing`. Throws `bad_request` for a mask
   * without a stored secret, and for a secret that would now be sent to another receiver.
   */
  unmasked<Given extends Partial<Item>>(given: Given, existing?: Partial<Item>): Given;
  /** Returns a record from a package with each mask replaced by the package's secret, else the existing one, else an empty text. */
  comingIn<Given extends Partial<Item>>(given: Given, secrets: unknown, existing?: Partial<Item>): Given;
}

type Values = Readonly<Record<string, unknown>>;
type Fields = Readonly<Record<string, LiteralField>>;
type StoredSecrets = ReadonlyMap<string, { readonly secret: string; readonly to?: string }>;

/** Declares the fields of a record that may contain secrets, of the record itself or of the object in its field `within`. */
export function literalSecrets<Item extends object>(declared: Fields, within?: string): LiteralSecrets<Item> {
  const partOf = (item: object): Values => (within === undefined ? item : ((item as Values)[within] ?? {})) as Values;
  const change = <Given extends object>(given: Given, changeSecret: ChangeSecret, whole = partOf(given)): Given => {
    const part = changeFields(declared, partOf(given), whole, changeSecret);
    if (within === undefined) return { ...given, ...part };
    return within in given ? { ...given, [within]: { ...partOf(given), ...part } } : given;
  };
  const readSecrets = (item: object): StoredSecrets => {
    const found = new Map<string, { readonly secret: string; readonly to: string }>();
    change(item, (secret, place, to) => {
      if (!isMask(secret)) found.set(place, { secret, to });
      return secret;
    });
    return found;
  };
  /** Replaces masks by stored secrets; `handleUnmatched` handles a mask without one. */
  const unmask = <Given extends object>(
    given: Given,
    stored: StoredSecrets,
    handleUnmatched: HandleUnmatched,
    existing: object = {},
  ): Given =>
    change(
      given,
      (value, place, to) =>
        isMask(value) ? (matchStored(stored.get(place), value, to) ?? handleUnmatched(place, value)) : value,
      {
        ...partOf(existing),
        ...partOf(given),
      },
    );
  return {
    fields: within === undefined ? Object.keys(declared) : [within],
    within,
    in: (item) => Object.fromEntries([...readSecrets(item)].map(([place, { secret }]) => [place, secret])),
    masked: (given) => change(given, maskOf),
    opened: (given, stored) => unmask(given, toStoredSecrets(stored), (_, mask) => mask),
    unmasked(given, existing = {}) {
      const stored = readSecrets(existing);
      // A field that contains the others is always sent whole, so nothing omitted remains.
      if (within === undefined)
        rejectRedirected(declared, omittedFields(existing, given), { ...existing, ...given }, stored);
      return unmask(given, stored, rejectMask, existing);
    },
    comingIn(given, secrets, existing = {}) {
      const packaged = typeof secrets === "string" ? (JSON.parse(secrets) as SecretsByPlace) : {};
      return unmask(given, new Map([...readSecrets(existing), ...toStoredSecrets(packaged)]), () => "", existing);
    },
  };
}

type HandleUnmatched = (place: string, mask: string) => string;

function toStoredSecrets(secrets: SecretsByPlace): StoredSecrets {
  return new Map(Object.entries(secrets).map(([place, secret]) => [place, { secret }]));
}

function omittedFields(existing: object, given: object): Values {
  return Object.fromEntries(Object.entries(existing).filter(([name]) => (given as Values)[name] === undefined));
}

/** Throws when a change would send an omitted secret to another receiver. */
function rejectRedirected(declared: Fields, part: Values, whole: Values, stored: StoredSecrets): void {
  changeFields(declared, part, whole, (secret, place, to) => {
    if ((stored.get(place)?.to ?? to) !== to) rejectMask(place);
    return secret;
  });
}

/** Returns the stored secret for a mask and receiver; one without a receiver was stored for this record. */
function matchStored(stored: { readonly secret: string; readonly to?: string } | undefined, mask: string, to: string) {
  return stored && maskOf(stored.secret) === mask && (stored.to ?? to) === to ? stored.secret : undefined;
}

/** Applies `changeSecret` to the secrets of a part's fields; `whole` supplies the receivers. */
function changeFields(declared: Fields, part: Values, whole: Values, changeSecret: ChangeSecret): Values {
  const fields = Object.entries(declared).filter(([name]) => part[name] !== undefined && part[name] !== null);
  return Object.fromEntries(
    fields.map(([name, { form, as = name, to = "" }]) => {
      const goesTo = resolveDestination(declared, whole, form === "arguments" ? name : to);
      return [name, SECRET_FORMS[form](part[name], { at: as, to: goesTo }, changeSecret)];
    }),
  );
}

/** Returns the receiver of the named field's content: a server, or a program call without its secrets. */
function resolveDestination(declared: Fields, whole: Values, name: string): string {
  const { form, to = "" } = declared[name] ?? {};
  const value = whole[name] ?? "";
  if (form === "address") return toServer(value);
  if (form !== "arguments") return String(value);
  return JSON.stringify([whole[to], SECRET_FORMS.arguments(value, { at: name, to: "" }, () => "*")]);
}

function rejectMask(place: string): never {
  throw coreTexts.error("bad_request", "masked", { place });
}
