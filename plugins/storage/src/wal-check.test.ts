import { copyFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findLostFrames } from "./wal-check.ts";

const HEADER = 32;
const FRAME = 24 + 4096;

let folder: string;
let file: string;
let database: DatabaseSync;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-wal-"));
  database = new DatabaseSync(join(folder, "live.db"));
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0");
  database.exec("CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT)");
  file = join(folder, "killed.db");
});

afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

const insert = (bytes: number) => database.exec(`INSERT INTO t (b) VALUES ('${"x".repeat(bytes)}')`);
/** Copies the files as a killed process leaves them. */
const kill = () => {
  for (const end of ["", "-wal"]) copyFileSync(join(folder, `live.db${end}`), `${file}${end}`);
  return (readFileSync(`${file}-wal`).length - HEADER) / FRAME;
};
const flip = (at: number) => {
  const bytes = readFileSync(`${file}-wal`);
  bytes[at] = (bytes[at] ?? 0) ^ 0x40;
  writeFileSync(`${file}-wal`, bytes);
};
/** The numbers of the frames that end a transaction. */
const commits = (frames: number) => {
  const wal = readFileSync(`${file}-wal`);
  return Array.from({ length: frames }, (_, at) => at + 1).filter(
    (at) => wal.readUInt32BE(HEADER + (at - 1) * FRAME + 4) !== 0,
  );
};

describe("a write-ahead log", () => {
  test("is accepted when it is complete, or missing", async () => {
    for (let count = 0; count < 5; count += 1) insert(10);
    kill();
    expect(await findLostFrames(file)).toBeUndefined();
    rmSync(`${file}-wal`);
    expect(await findLostFrames(file)).toBeUndefined();
  });

  test("is accepted when its end was cut off anywhere", async () => {
    for (let count = 0; count < 4; count += 1) insert(9_000);
    const size = HEADER + kill() * FRAME;
    for (let length = size; length >= 0; length -= 1_013) {
      truncateSync(`${file}-wal`, length);
      expect(await findLostFrames(file)).toBeUndefined();
    }
  });

  test("is accepted when frames of the last transaction are torn, in any order", async () => {
    for (let count = 0; count < 3; count += 1) insert(20_000);
    const frames = kill();
    const first = (commits(frames).at(-2) ?? 0) + 1;
    expect(first).toBeLessThan(frames);
    for (let frame = first; frame <= frames; frame += 1) {
      kill();
      flip(HEADER + (frame - 1) * FRAME + 2_000);
      expect(await findLostFrames(file)).toBeUndefined();
    }
  });

  test("is accepted when frames of an earlier cycle follow", async () => {
    for (let count = 0; count < 20; count += 1) insert(3_000);
    database.exec("PRAGMA wal_checkpoint(RESTART)");
    insert(10);
    expect(kill()).toBeGreaterThan(20);
    expect(await findLostFrames(file)).toBeUndefined();
  });

  test("is accepted when a transaction was rolled back after it had been written in part", async () => {
    insert(10);
    database.exec("PRAGMA cache_size = 5; BEGIN");
    for (let count = 0; count < 30; count += 1) insert(8_000);
    database.exec("ROLLBACK");
    insert(10);
    const frames = kill();
    expect((commits(frames).at(-1) ?? 0) + 5).toBeLessThan(frames);
    expect(await findLostFrames(file)).toBeUndefined();
  });
});

describe("a write-ahead log that lost committed data", () => {
  test("is detected by a single changed bit, anywhere before the last transaction", async () => {
    for (let count = 0; count < 6; count += 1) insert(5_000);
    const frames = kill();
    const last = commits(frames).at(-2) ?? 0;
    for (let frame = 1; frame <= last; frame += 1) {
      // Page number, salt, checksum, and the page itself.
      for (const at of [3, 9, 18, 24, 2_000, FRAME - 1]) {
        kill();
        flip(HEADER + (frame - 1) * FRAME + at);
        expect(await findLostFrames(file), `frame ${frame}, byte ${at}`).toMatchObject({ frame: expect.any(Number) });
      }
    }
  });

  test("is detected when its beginning is damaged", async () => {
    for (let count = 0; count < 3; count += 1) insert(10);
    for (const at of [1, 10, 17, 21, 25, 31]) {
      kill();
      flip(at);
      expect(await findLostFrames(file), `byte ${at}`).toBeDefined();
    }
  });
});
