/** Names in braces in a text template; of `{count, plural, …}` the name is `count`, and each form contains `#`. */
type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? NameOf<Name> | NamesIn<Rest>
  : never;
type NameOf<Inner extends string> = Inner extends `${infer Name}, plural,${string}`
  ? Name
  : Inner extends `${string}#${string}`
    ? never
    : Inner;

/** Parameters of a text template; of a union of templates, the parameters of all. */
export type ParamsIn<Text extends string, Value> = { readonly [Name in NamesIn<Text>]: Value };

/** Argument list with optional parameters when the template has none, followed by `Rest`. */
export type TextArguments<Params, Rest extends readonly unknown[] = []> = keyof Params extends never
  ? [params?: Params, ...rest: Rest]
  : [params: Params, ...rest: Rest];

const PLURAL = /\{(\w+), plural,((?:\s*\w+ \{[^{}]*\})+)\s*\}/g;
const FORM = /(\w+) \{([^{}]*)\}/g;

/**
 * Fills `{name}` placeholders from `params`; unknown ones become empty. `{count, plural, one {# item} other {# items}}`
 * becomes the form that `language` has for the number, with `#` as the number.
 */
export function fillParams(text: string, params: Readonly<Record<string, unknown>>, language = "en"): string {
  return text
    .replaceAll(PLURAL, (_, name: string, forms: string) => toPluralForm(forms, Number(params[name]), language))
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? ""));
}

/** Returns the names of the parameters of a text. */
export function listParams(text: string): readonly string[] {
  const plural = [...text.matchAll(PLURAL)].map(([, name = ""]) => name);
  return [...plural, ...[...text.replaceAll(PLURAL, "").matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name)];
}

function toPluralForm(forms: string, count: number, language: string): string {
  const form = new Intl.PluralRules(language).select(count);
  const found = new Map([...forms.matchAll(FORM)].map(([, name = "", text = ""]) => [name, text]));
  return (found.get(form) ?? found.get("other") ?? "").replaceAll("#", String(count));
}
