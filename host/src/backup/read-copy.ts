import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import type { ReadRows } from "@parley/core";

/** A database of a backup, read without writing anything next to it. */
export interface ReadCopy extends Disposable {
  readonly read: ReadRows;
  readonly tables: ReadonlySet<string>;
}

export function openReadCopy(path: string): ReadCopy {
  const database = openImmutable(path);
  const read: ReadRows = <Row>(text: string, ...parameters: readonly (string | number)[]) =>
    database.prepare(text).all(...parameters) as unknown as readonly Row[];
  const named = read<{ readonly name: string }>("select name from sqlite_schema where type = 'table'");
  return {
    read,
    tables: new Set(named.map(({ name }) => name)),
    [Symbol.dispose]: () => database.close(),
  };
}

export function openImmutable(path: string): DatabaseSync {
  const url = pathToFileURL(path);
  url.searchParams.set("mode", "ro");
  url.searchParams.set("immutable", "1");
  return new DatabaseSync(url, { readOnly: true });
}
