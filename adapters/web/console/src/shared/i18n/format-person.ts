/** Who an address (`web:user:ann`, `imA:user:42`) is of, for people: a name in the console, elsewhere the platform too. */
export function formatPerson(target: string): string {
  const [, channel, user] = /^([^:]+):user:(.+)$/.exec(target) ?? [];
  if (channel === undefined || user === undefined) return target;
  return channel === "web" ? user : `${user} (${channel})`;
}
