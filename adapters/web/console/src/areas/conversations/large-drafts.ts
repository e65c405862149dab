const DATABASE = "parley";
const STORE = "drafts";

/** Texts that are too large for what a browser keeps at hand for a page. */
let opened: Promise<IDBDatabase> | undefined;

function database(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  return opened;
}

async function within<Value>(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<Value>,
): Promise<Value> {
  const transaction = (await database()).transaction(STORE, mode);
  const request = work(transaction.objectStore(STORE));
  return new Promise((resolve, reject) => {
    // Whether there is room is known only at its end.
    transaction.oncomplete = () => resolve(request.result);
    transaction.onabort = () => reject(transaction.error);
    transaction.onerror = () => reject(transaction.error ?? request.error);
  });
}

export const largeDrafts = {
  get: (key: string): Promise<string | undefined> => within("readonly", (store) => store.get(key)),
  put: (key: string, text: string): Promise<unknown> => within("readwrite", (store) => store.put(text, key)),
  remove: (key: string): Promise<unknown> => within("readwrite", (store) => store.delete(key)),
};
