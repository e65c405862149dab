import { Readable } from "node:stream";
import type { BlobStore } from "@parley/core";

/** Creates a blob store that writes to `to` and also reads from `from` during a migration. */
export function createMigratingBlobs(from: BlobStore, to: BlobStore): BlobStore {
  return {
    place: to.place,
    put: to.put,
    find: async (name) => (await from.find(name)) ?? to.find(name),
    read: (name, range) => Readable.from(readFromEither(from, to, name, range), { objectMode: false }),
    async remove(name) {
      await from.remove(name);
      await to.remove(name);
    },
    async *names() {
      yield* from.names();
      yield* to.names();
    },
  };
}

async function* readFromEither(from: BlobStore, to: BlobStore, name: string, range: Parameters<BlobStore["read"]>[1]) {
  if (await from.find(name)) {
    let isBegun = false;
    try {
      for await (const chunk of from.read(name, range)) {
        isBegun = true;
        yield chunk;
      }
      return;
    } catch (error) {
      // The file was moved between the look-up and the opening; none of its content has been read yet.
      if (isBegun || (await from.find(name))) throw error;
    }
  }
  yield* to.read(name, range);
}
