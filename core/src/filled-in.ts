/** Names in braces in a text template. */
type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

/** Parameters of a text template; of a union of templates, the parameters of all. */
export type ParamsIn<Text extends string, Value> = { readonly [Name in NamesIn<Text>]: Value };

/** Argument list with optional parameters when the template has none, followed by `Rest`. */
export type Given<Params, Rest extends readonly unknown[] = []> = keyof Params extends never
  ? [params?: Params, ...rest: Rest]
  : [params: Params, ...rest: Rest];

/** Fills `{name}` placeholders from `params`; unknown ones become empty. */
export function filledIn(text: string, params: Readonly<Record<string, unknown>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? ""));
}
