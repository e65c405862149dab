/** Returns the option with this value, for controls that return only its text. Throws `RangeError` if there is none. */
export function toOption<Option extends string>(options: readonly Option[], value: string): Option {
  const found = options.find((option) => option === value);
  if (found === undefined) throw new RangeError(`'${value}' is none of the options`);
  return found;
}
