/** The signed-in account, so that stored drafts are not shown to another one. */
let currentAccount = "";

export function setStorageAccount(account: string): void {
  currentAccount = account;
}

/** Returns the `localStorage` key for data of the signed-in account. */
export function toAccountKey(kind: "draft" | "unsent", name = ""): string {
  return `parley.${kind}.${encodeURIComponent(currentAccount)}/${name}`;
}

/** Stores a text in this browser. False when the quota is exceeded; an earlier value is removed then. */
export function tryStore(key: string, text: string, storage = localStorage): boolean {
  try {
    storage.setItem(key, text);
    return true;
  } catch {
    storage.removeItem(key);
    return false;
  }
}
