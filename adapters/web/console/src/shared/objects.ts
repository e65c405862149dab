/** Returns the names of an object's own fields. */
export function getKeys<Fields extends object>(fields: Fields): readonly (keyof Fields & string)[] {
  // A value may have more fields than its type, so callers pass objects declared as literals.
  return Object.keys(fields) as (keyof Fields & string)[];
}

/** Returns only the named fields. */
export function pick<Fields extends object, Name extends keyof Fields & string>(
  fields: Fields,
  names: readonly Name[],
): Pick<Fields, Name> {
  return Object.fromEntries(names.map((name) => [name, fields[name]])) as Pick<Fields, Name>;
}

/** Returns the fields that pass a test. */
export function filterFields<Fields extends object>(
  fields: Fields,
  isWanted: (name: string, value: unknown) => boolean,
): Partial<Fields> {
  const wanted = Object.entries(fields).filter(([name, value]) => isWanted(name, value));
  return Object.fromEntries(wanted) as Partial<Fields>;
}
