/** Formats an address (`web:user:ann`, `imA:user:42`) as a name, followed by the platform unless it is the console. */
export function formatPerson(target: string): string {
  const [, channel, user] = /^([^:]+):user:(.+)$/.exec(target) ?? [];
  if (channel === undefined || user === undefined) return target;
  return channel === "web" ? user : `${user} (${channel})`;
}
