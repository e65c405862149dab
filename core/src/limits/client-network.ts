/**
 * Returns the network that one client controls, the unit of limits per client: the network of `bits` bits for IPv6 (a /64 is one
 * connection's), the address itself for IPv4.
 */
export function networkOf(address: string, bits: 48 | 64 = 64): string {
  if (address.includes(".")) return address.replace(/^::ffff:/i, "");
  if (!address.includes(":")) return address;
  const [left = [], right] = address.split("::").map((half) => half.split(":").filter(Boolean));
  const zeros = right ? Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => "0") : [];
  const groups = [...left, ...zeros, ...(right ?? [])].slice(0, bits / 16);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(":")}::/${bits}`;
}
