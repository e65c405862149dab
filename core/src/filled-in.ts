/** The names that stand in braces in a text. */
type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

/** What has to be given for a text; of several texts, for them all. */
export type ParamsIn<Text extends string, Value> = { readonly [Name in NamesIn<Text>]: Value };

/** Parameters that need not be given where a text has none, and what comes behind them. */
export type Given<Params, Rest extends readonly unknown[] = []> = keyof Params extends never
  ? [params?: Params, ...rest: Rest]
  : [params: Params, ...rest: Rest];

/** A text with what is given for `{name}`; what is not known is left out. */
export function filledIn(text: string, params: Readonly<Record<string, unknown>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? ""));
}
