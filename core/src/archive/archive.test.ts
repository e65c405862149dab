import { Buffer } from "node:buffer";
import { crc32, deflateRawSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isArchive, openArchive } from "./open-archive.ts";
import { writeArchive } from "./write-archive.ts";

const text = (value: string) => Buffer.from(value);
const archiveOne = (name: string, bytes: Uint8Array = text("x")) => writeArchive([{ name, bytes }]);
const contents = async (archive: Uint8Array) =>
  Promise.all(openArchive(archive).map(async (entry) => [entry.name, Buffer.from(await entry.bytes()).toString()]));
const withChange = (archive: Uint8Array, change: (bytes: Buffer) => void) => {
  const copy = Buffer.from(archive);
  change(copy);
  return copy;
};
const readDirectoryOffset = (archive: Buffer) => archive.readUInt32LE(archive.length - 6);

test("a packed archive is unpacked unchanged", async () => {
  const file = fc.record({
    name: fc
      .stringMatching(/^[a-z0-9]{1,8}(\/[a-z0-9]{1,8}){0,3}$/)
      .filter((name) => !/(^|\/)(con|prn|aux|nul|com\d|lpt\d)(\/|$)/.test(name)),
    bytes: fc.uint8Array({ maxLength: 400 }),
  });
  const files = fc.uniqueArray(file, { maxLength: 6, selector: ({ name }) => name });
  await fc.assert(
    fc.asyncProperty(files, async (packed) => {
      const archive = await writeArchive(packed);
      expect(isArchive(archive)).toBe(true);
      const found = await Promise.all(
        openArchive(archive).map(async (entry) => ({ name: entry.name, bytes: new Uint8Array(await entry.bytes()) })),
      );
      expect(found).toEqual(packed.map(({ name, bytes }) => ({ name, bytes: new Uint8Array(bytes) })));
    }),
    { numRuns: 50 },
  );
});

test("any bytes are an archive or rejected, and have no other effect", async () => {
  const good = Buffer.from(await archiveOne("a.json", text("hello ".repeat(50))));
  await fc.assert(
    fc.asyncProperty(
      fc.nat({ max: good.length - 1 }),
      fc.nat({ max: 255 }),
      fc.nat({ max: good.length }),
      async (at, value, cut) => {
        const odd = withChange(good, (bytes) => bytes.writeUInt8(value, at)).subarray(
          0,
          cut % 3 === 0 ? cut : good.length,
        );
        try {
          for (const entry of openArchive(odd)) await entry.bytes();
        } catch (error) {
          expect((error as { code: string }).code).toMatch(/^(bad_request|too_large)$/);
        }
      },
    ),
    { numRuns: 500 },
  );
});

describe("a file name is rejected that", () => {
  test.each([
    ["leads out", "../x"],
    ["leads out further in", "a/../../x"],
    ["is absolute", "/etc/passwd"],
    ["has a drive", "C:/x"],
    ["has backslashes", "a\\..\\x"],
    ["has an empty part", "a//x"],
    ["has control characters", "a\u0000b"],
    ["turns the direction of text", "a\u202eb"],
    ["is a device", "folder/nul.txt"],
    ["ends with a dot", "a./x"],
    ["is too long", "a".repeat(256)],
  ])("%s", async (_, name) => {
    const archive = await archiveOne(name);
    expect(() => openArchive(archive)).toThrow(/cannot be used/);
  });

  test.each([
    ["a.txt", "A.TXT"],
    ["a.txt", "a.txt"],
    ["e\u0301", "\u00e9"],
  ])("occurs twice: %s, %s", async (a, b) => {
    const archive = await writeArchive([
      { name: a, bytes: text("1") },
      { name: b, bytes: text("2") },
    ]);
    expect(() => openArchive(archive)).toThrow(/twice/);
  });
});

test("links and devices are not extracted", async () => {
  const archive = Buffer.from(await archiveOne("link", text("/etc/passwd")));
  for (const type of [0xa, 0x2, 0x6, 0x1, 0xc]) {
    const link = withChange(archive, (bytes) => {
      const at = readDirectoryOffset(bytes);
      bytes.writeUInt8(3, at + 5);
      bytes.writeUInt32LE(((type << 12) | 0o777) * 65_536, at + 38);
    });
    expect(() => openArchive(link)).toThrow(/not a regular file/);
  }
});

test("an archive that unpacks to too much is rejected before it is unpacked", async () => {
  const zeros = Buffer.alloc(2_000_000);
  const bomb = archiveDeflated(zeros, zeros.length);
  expect(() => openArchive(bomb)).toThrow(expect.objectContaining({ code: "too_large" }));
  const liar = openArchive(archiveDeflated(zeros, 1_000));
  await expect(liar[0]?.bytes()).rejects.toMatchObject({ code: "bad_request" });
  const many = await writeArchive(Array.from({ length: 1_001 }, (_, index) => ({ name: `${index}`, bytes: text("") })));
  expect(() => openArchive(many)).toThrow(expect.objectContaining({ code: "too_large" }));
  const limits = { maxPackedBytes: 100, maxBytes: 1e9, maxEntries: 10, maxRatio: 1e9 };
  const large = await writeArchive([{ name: "a", bytes: Buffer.alloc(1_000) }]);
  expect(() => openArchive(large, limits)).toThrow(/too large/);
});

test("an entry is read only when it is as large as it claims", async () => {
  const [entry] = openArchive(await archiveOne("a", Buffer.alloc(5_000, "ab")));
  await expect(entry?.bytes(4_999)).rejects.toMatchObject({ code: "too_large" });
  expect((await entry?.bytes(5_000))?.length).toBe(5_000);
});

test("a file that compresses extremely well is stored uncompressed, so that it can be unpacked", async () => {
  const archive = await archiveOne("a", Buffer.alloc(100_000));
  expect(openArchive(archive)).toHaveLength(1);
});

test("encrypted, truncated and changed archives are rejected", async () => {
  const good = Buffer.from(await archiveOne("a.txt", text("hello hello hello hello")));
  expect(() =>
    openArchive(withChange(good, (bytes) => bytes.writeUInt16LE(1, readDirectoryOffset(bytes) + 8))),
  ).toThrow(/encrypted/);
  expect(() => openArchive(good.subarray(0, good.length - 1))).toThrow(/damaged/);
  expect(() => openArchive(good.subarray(0, 10))).toThrow(/damaged/);
  expect(() => openArchive(text("no archive"))).toThrow(/damaged/);
  const otherSum = withChange(good, (bytes) => bytes.writeUInt32LE(1, readDirectoryOffset(bytes) + 16));
  await expect(openArchive(otherSum)[0]?.bytes()).rejects.toThrow(/damaged/);
  const otherName = withChange(good, (bytes) => bytes.write("b", 30));
  await expect(openArchive(otherName)[0]?.bytes()).rejects.toThrow(/damaged/);
});

test("64-bit sizes, data descriptors and bytes before the archive are accepted", async () => {
  expect(await contents(buildZip64Archive("a.json", text("{}")))).toEqual([["a.json", "{}"]]);
  const good = await archiveOne("a.json", text("{}"));
  expect(await contents(Buffer.concat([text("a picture"), good]))).toEqual([["a.json", "{}"]]);
});

/** Returns an archive of one deflated entry whose headers claim `size` bytes. */
function archiveDeflated(bytes: Buffer, size: number): Buffer {
  return buildArchive("a", deflateRawSync(bytes), { size, sum: crc32(bytes), method: 8 });
}

function buildArchive(
  name: string,
  data: Buffer,
  { size, sum, method }: { size: number; sum: number; method: number },
) {
  const shared = Buffer.alloc(26);
  shared.writeUInt16LE(method, 4);
  shared.writeUInt32LE(sum, 10);
  shared.writeUInt32LE(data.length, 14);
  shared.writeUInt32LE(size, 18);
  shared.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from([0x50, 0x4b, 3, 4]), shared, text(name), data]);
  const entry = Buffer.concat([Buffer.from([0x50, 0x4b, 1, 2, 0, 0]), shared, Buffer.alloc(14), text(name)]);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(entry.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, entry, end]);
}

/**
 * Returns an archive in ZIP64 form, as some tools always write it: sizes in the extra field and in a data descriptor, and a ZIP64
 * end record.
 */
function buildZip64Archive(name: string, data: Buffer): Buffer {
  const shared = Buffer.alloc(26);
  shared.writeUInt16LE(45, 0);
  shared.writeUInt16LE(0x0008, 2);
  shared.writeUInt16LE(name.length, 22);
  const descriptor = Buffer.alloc(24);
  descriptor.write("PK\x07\x08", "latin1");
  const local = Buffer.concat([Buffer.from([0x50, 0x4b, 3, 4]), shared, text(name), data, descriptor]);
  const listed = Buffer.from(shared);
  listed.writeUInt32LE(crc32(data), 10);
  listed.writeUInt32LE(0xffffffff, 14);
  listed.writeUInt32LE(0xffffffff, 18);
  listed.writeUInt16LE(20, 24);
  const extra = Buffer.alloc(20);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(16, 2);
  extra.writeBigUInt64LE(BigInt(data.length), 4);
  extra.writeBigUInt64LE(BigInt(data.length), 12);
  const entry = Buffer.concat([Buffer.from([0x50, 0x4b, 1, 2, 0, 0]), listed, Buffer.alloc(14), text(name), extra]);
  const largeEnd = Buffer.alloc(56);
  largeEnd.write("PK\x06\x06", "latin1");
  largeEnd.writeBigUInt64LE(44n, 4);
  largeEnd.writeBigUInt64LE(1n, 32);
  largeEnd.writeBigUInt64LE(BigInt(entry.length), 40);
  largeEnd.writeBigUInt64LE(BigInt(local.length), 48);
  const locator = Buffer.alloc(20);
  locator.write("PK\x06\x07", "latin1");
  locator.writeBigUInt64LE(BigInt(local.length + entry.length), 8);
  const end = Buffer.alloc(22, 0xff);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(0, 20);
  return Buffer.concat([local, entry, largeEnd, locator, end]);
}
