/** Fields that may be undefined until `omitEmpty` removes them. */
export type Clearable<Fields> = { readonly [Name in keyof Fields]: Fields[Name] | undefined };

/** Removes fields that are `undefined` or `""`; with `names`, only fields of these names. */
export function omitEmpty<Fields extends object>(
  fields: Clearable<Fields>,
  names: readonly string[] = Object.keys(fields),
): Fields {
  const entries = Object.entries(fields);
  const full = entries.filter(([name, value]) => !names.includes(name) || (value !== undefined && value !== ""));
  // An optional field may be missing, and a required one is never undefined.
  return Object.fromEntries(full) as Fields;
}
