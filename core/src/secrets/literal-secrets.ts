import { explainedAs } from "../error-texts.ts";
import { type ChangeSecret, isMask, maskOf, SECRET_FORMS, toServer } from "./secret-forms.ts";

/** How people may have written secrets into a field. */
export interface LiteralField {
  /** An address; an object in which addresses stand; arguments of a program; or what has secrets by the names of its fields. */
  readonly form: "address" | "addresses" | "arguments" | "values";
  /** The field that says what it is sent to, beside its own addresses. */
  readonly to?: string;
  /** What the field is called in the places that are kept, where that is not its name. */
  readonly as?: string;
}

/** Secrets by their place, such as `headers.Authorization`. */
export type SecretsByPlace = Readonly<Record<string, string>>;

/** A request over HTTP. */
export const REQUEST_FIELDS = {
  url: { form: "address" },
  headers: { form: "values", to: "url" },
  query: { form: "values", to: "url" },
  body: { form: "values", to: "url" },
} as const satisfies Readonly<Record<string, LiteralField>>;

/** By this field the secrets of a record come in beside it in a configuration package, as JSON. */
export const LITERAL_SECRETS = "written_secrets";

/** The secrets that people write into one kind of record, found by where they stand and what they are called. */
export interface LiteralSecrets<Item extends object> {
  /** The fields of the record that they may stand in. */
  readonly fields: readonly string[];
  /** The field that holds all the others, where there is one: what is encrypted stands in it too. */
  readonly within: string | undefined;
  /** Those that stand there, but for masks. What is nothing but an argument, like `Bearer {{token}}`, is none. */
  in(item: Partial<Item>): SecretsByPlace;
  /** As people see it. */
  masked<Given extends Partial<Item>>(given: Given): Given;
  /** With those that are kept, each for its mask; a mask of something else stays. */
  opened<Given extends Partial<Item>>(given: Given, kept: SecretsByPlace): Given;
  /**
   * As people send it: what is masked is what is `there`. What is not given is as it is there. `bad_request` for a mask that
   * stands for nothing, and where a secret, masked or not given, would be sent to somebody else now.
   */
  unmasked<Given extends Partial<Item>>(given: Given, there?: Partial<Item>): Given;
  /** As it comes in with a package, with its secrets or with those that are there; what neither has is left empty. */
  comingIn<Given extends Partial<Item>>(given: Given, secrets: unknown, there?: Partial<Item>): Given;
}

type Values = Readonly<Record<string, unknown>>;
type Fields = Readonly<Record<string, LiteralField>>;
type StoredSecrets = ReadonlyMap<string, { readonly secret: string; readonly to?: string }>;

/** Declares where secrets stand in a kind of record: in these fields, of the record or of what stands in its field `within`. */
export function literalSecrets<Item extends object>(declared: Fields, within?: string): LiteralSecrets<Item> {
  const partOf = (item: object): Values => (within === undefined ? item : ((item as Values)[within] ?? {})) as Values;
  const change = <Given extends object>(given: Given, how: ChangeSecret, whole = partOf(given)): Given => {
    const part = changeFields(declared, partOf(given), whole, how);
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
  /** `unfit` says what becomes of a mask that stands for nothing. */
  const unmask = <Given extends object>(
    given: Given,
    kept: StoredSecrets,
    handleUnmatched: HandleUnmatched,
    there: object = {},
  ): Given =>
    change(
      given,
      (value, place, to) =>
        isMask(value) ? (matchStored(kept.get(place), value, to) ?? handleUnmatched(place, value)) : value,
      {
        ...partOf(there),
        ...partOf(given),
      },
    );
  return {
    fields: within === undefined ? Object.keys(declared) : [within],
    within,
    in: (item) => Object.fromEntries([...readSecrets(item)].map(([place, { secret }]) => [place, secret])),
    masked: (given) => change(given, maskOf),
    opened: (given, kept) => unmask(given, toStoredSecrets(kept), (_, mask) => mask),
    unmasked(given, there = {}) {
      const kept = readSecrets(there);
      // A field that holds the others is given whole: nothing of it stays that was left out.
      if (within === undefined) rejectRedirected(declared, omittedFields(there, given), { ...there, ...given }, kept);
      return unmask(given, kept, rejectMask, there);
    },
    comingIn(given, secrets, there = {}) {
      const along = typeof secrets === "string" ? (JSON.parse(secrets) as SecretsByPlace) : {};
      return unmask(given, new Map([...readSecrets(there), ...toStoredSecrets(along)]), () => "", there);
    },
  };
}

type HandleUnmatched = (place: string, mask: string) => string;

function toStoredSecrets(secrets: SecretsByPlace): StoredSecrets {
  return new Map(Object.entries(secrets).map(([place, secret]) => [place, { secret }]));
}

function omittedFields(there: object, given: object): Values {
  return Object.fromEntries(Object.entries(there).filter(([name]) => (given as Values)[name] === undefined));
}

/** Refuses that what a change leaves out is sent to somebody else by it. */
function rejectRedirected(declared: Fields, part: Values, whole: Values, stored: StoredSecrets): void {
  changeFields(declared, part, whole, (secret, place, to) => {
    if ((stored.get(place)?.to ?? to) !== to) rejectMask(place);
    return secret;
  });
}

/** One that is bound to nothing was given for this very record. */
function matchStored(stored: { readonly secret: string; readonly to?: string } | undefined, mask: string, to: string) {
  return stored && maskOf(stored.secret) === mask && (stored.to ?? to) === to ? stored.secret : undefined;
}

/** The fields of a part that have secrets, changed; `whole` says what they are sent to. */
function changeFields(declared: Fields, part: Values, whole: Values, how: ChangeSecret): Values {
  const fields = Object.entries(declared).filter(([name]) => part[name] !== undefined && part[name] !== null);
  return Object.fromEntries(
    fields.map(([name, { form, as = name, to = "" }]) => {
      const goesTo = resolveDestination(declared, whole, form === "arguments" ? name : to);
      return [name, SECRET_FORMS[form](part[name], { at: as, to: goesTo }, how)];
    }),
  );
}

/** Who gets what is sent to what this field names: a server, or a program as it is called but for its secrets. */
function resolveDestination(declared: Fields, whole: Values, name: string): string {
  const { form, to = "" } = declared[name] ?? {};
  const value = whole[name] ?? "";
  if (form === "address") return toServer(value);
  if (form !== "arguments") return String(value);
  return JSON.stringify([whole[to], SECRET_FORMS.arguments(value, { at: name, to: "" }, () => "*")]);
}

function rejectMask(place: string): never {
  const said = {
    en: "{place} is masked: type it anew, as the address is another one or nothing is kept there",
    zh: "{place} 已被遮盖：地址已更改或此处未保存任何值，请重新输入",
  };
  throw explainedAs("bad_request", "secret.masked", said, { params: { place } });
}
