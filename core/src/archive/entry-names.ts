const MAX_NAME_BYTES = 255;
const MAX_DEPTH = 16;
/** Device names reserved by Windows. */
const WINDOWS_DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** Returns the reason a file name is not allowed in an archive; undefined when it is allowed. */
export function findNameProblem(name: string): string | undefined {
  if (/\p{C}/u.test(name)) return "has a name with control characters";
  if (name.includes("\\")) return "has a name with backslashes";
  if (name.startsWith("/") || /^[a-z]:/i.test(name)) return "has an absolute name";
  const parts = name.replace(/\/$/, "").split("/");
  if (parts.length > MAX_DEPTH) return "lies too deep";
  for (const part of parts) {
    if (part === "" || part === "." || part === "..") return "has a name that leads elsewhere";
    if (Buffer.byteLength(part) > MAX_NAME_BYTES) return "has too long a name";
    if (WINDOWS_DEVICE.test(part) || /[. ]$/.test(part)) return "has a name that not every system takes";
  }
  return undefined;
}

/** Returns the name in a form that is equal for names some systems do not distinguish. */
export function toNameKey(name: string): string {
  return name.replace(/\/$/, "").normalize("NFC").toLowerCase();
}
