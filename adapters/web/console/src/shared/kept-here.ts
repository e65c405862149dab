/** Keeps a text for this browser. False: it is more than all pages together may keep, and what stood there before is gone. */
export function isKeptHere(key: string, text: string): boolean {
  try {
    localStorage.setItem(key, text);
    return true;
  } catch {
    localStorage.removeItem(key);
    return false;
  }
}
