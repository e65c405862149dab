const DATABASE_NAME = "parley";
const STORE_NAME = "drafts";

/** The IndexedDB with drafts too large for `localStorage`. */
let databasePromise: Promise<IDBDatabase> | undefined;

function openDatabase(): Promise<IDBDatabase> {
  databasePromise ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE_NAME, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE_NAME);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  return databasePromise;
}

async function runTransaction<Value>(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<Value>,
): Promise<Value> {
  const transaction = (await openDatabase()).transaction(STORE_NAME, mode);
  const request = work(transaction.objectStore(STORE_NAME));
  return new Promise((resolve, reject) => {
    // A full disk shows only when the transaction completes, not when the request succeeds.
    transaction.oncomplete = () => resolve(request.result);
    transaction.onabort = () => reject(transaction.error);
    transaction.onerror = () => reject(transaction.error ?? request.error);
  });
}

export const largeDrafts = {
  get: (key: string): Promise<string | undefined> => runTransaction("readonly", (store) => store.get(key)),
  put: (key: string, text: string): Promise<unknown> => runTransaction("readwrite", (store) => store.put(text, key)),
  remove: (key: string): Promise<unknown> => runTransaction("readwrite", (store) => store.delete(key)),
};
