/** Who is signed in: what a browser keeps of one account is not shown to the next. */
let owner = "";

export function keepFor(account: string): void {
  owner = account;
}

/** Where something of the account that is signed in is kept. */
export function ownKey(kind: "draft" | "unsent", name = ""): string {
  return `parley.${kind}.${encodeURIComponent(owner)}/${name}`;
}

/** Keeps a text for this browser. False: it is more than all pages together may keep, and what stood there before is gone. */
export function isKeptHere(key: string, text: string, storage = localStorage): boolean {
  try {
    storage.setItem(key, text);
    return true;
  } catch {
    storage.removeItem(key);
    return false;
  }
}
