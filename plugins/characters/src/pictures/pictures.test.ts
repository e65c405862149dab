import { describe, expect, test } from "vitest";
import { createCardChunk, createPngOfSize } from "../cards/format/sample-cards.ts";
import { readPicture } from "./picture.ts";

const bytesOf = (...parts: readonly (string | readonly number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from(part))));
const segment = (marker: number, data: Buffer) => {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, data]);
};

/** Creates the Exif segment of a camera with the orientation and the place of the picture. */
function exif(turned: number): Buffer {
  const tiff = Buffer.alloc(8 + 2 + 2 * 12 + 4);
  tiff.write("MM\0*", "latin1");
  tiff.writeUInt32BE(8, 4);
  tiff.writeUInt16BE(2, 8);
  tiff.writeUInt16BE(0x0112, 10);
  tiff.writeUInt16BE(3, 12);
  tiff.writeUInt32BE(1, 14);
  tiff.writeUInt16BE(turned, 18);
  tiff.writeUInt16BE(0x8825, 22);
  return segment(0xe1, Buffer.concat([Buffer.from("Exif\0\0SECRET-POSITION".slice(0, 6), "latin1"), tiff]));
}

function jpeg(...more: readonly Buffer[]): Buffer {
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    ...more,
    segment(0xdb, Buffer.alloc(65)),
    segment(0xc0, Buffer.from([8, 0, 20, 0, 30, 1, 1, 0x11, 0])),
    segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    Buffer.from([1, 2, 0xff, 0, 3, 0xff, 0xd0, 4, 0xff, 0xd9]),
  ]);
}

function gif(...more: readonly Buffer[]): Buffer {
  const head = bytesOf("GIF89a", [30, 0, 20, 0, 0x80, 0, 0], [0, 0, 0, 255, 255, 255]);
  return Buffer.concat([head, ...more, bytesOf([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0], [0x3b])]);
}

function webp(...more: readonly (readonly [string, Buffer])[]): Buffer {
  const x = Buffer.alloc(10);
  x.writeUInt8(0x2c, 0);
  x.writeUIntLE(29, 4, 3);
  x.writeUIntLE(19, 7, 3);
  const parts = [["VP8X", x] as const, ...more, ["VP8L", Buffer.from([0x2f, 29, 0xc0, 4, 0])] as const].map(
    ([type, data]) => {
      const head = Buffer.alloc(8);
      head.write(type, "latin1");
      head.writeUInt32LE(data.length, 4);
      return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
    },
  );
  const whole = Buffer.concat([bytesOf("RIFF", [0, 0, 0, 0], "WEBP"), ...parts]);
  whole.writeUInt32LE(whole.length - 8, 4);
  return whole;
}

const hiddenText = Buffer.from("SECRET", "latin1");
const noisy = {
  png: createPngOfSize(30, 20, [
    createCardChunk("chara", { name: "SECRET" }),
    ["eXIf", hiddenText],
    ["tEXt", hiddenText],
    ["prVt", hiddenText],
  ]),
  jpg: jpeg(
    exif(6),
    segment(0xfe, hiddenText),
    segment(0xed, hiddenText),
    segment(0xe0, Buffer.from("JFIF\0\x01\x01\0\0\x01\0\x01\0\0", "latin1")),
  ),
  gif: gif(bytesOf([0x21, 0xfe, 6], "SECRET", [0]), bytesOf([0x21, 0xff, 11], "XMP DataXMP", [6], "SECRET", [0])),
  webp: webp(["EXIF", hiddenText], ["XMP ", hiddenText]),
};

describe.each(Object.entries(noisy))("a picture as %s", (extension, bytes) => {
  test("keeps its visible content and size, and loses its metadata", () => {
    const picture = readPicture(Buffer.concat([bytes, Buffer.from("<html>SECRET")]));
    expect(picture).toMatchObject({ extension, width: 30, height: 20 });
    expect(Buffer.from(picture.bytes).toString("latin1")).not.toMatch(/SECRET|<html>/);
    expect(Buffer.from(readPicture(picture.bytes).bytes)).toEqual(Buffer.from(picture.bytes));
  });

  test("is rejected when it is truncated anywhere", () => {
    const whole = readPicture(bytes).bytes;
    for (let end = 12; end < whole.length; end += 1) {
      expect(() => readPicture(whole.subarray(0, end))).toThrow(expect.objectContaining({ code: "bad_request" }));
    }
  });
});

test("keeps a camera's orientation, but not its position", () => {
  const { bytes } = readPicture(jpeg(exif(6)));
  const found = Buffer.from(bytes).indexOf("Exif");
  expect(found).toBeGreaterThan(0);
  expect(Buffer.from(bytes).includes(Buffer.from([0x88, 0x25]))).toBe(false);
  expect(Buffer.from(bytes).readUInt16LE(found + 24)).toBe(6);
  expect(Buffer.from(readPicture(jpeg()).bytes).includes("Exif")).toBe(false);
});

test("keeps its animation", () => {
  const loops = bytesOf([0x21, 0xff, 11], "NETSCAPE2.0", [3, 1, 0, 0, 0]);
  expect(Buffer.from(readPicture(gif(loops)).bytes).includes("NETSCAPE2.0")).toBe(true);
});

test.each([
  ["a text", Buffer.from("hello, this is no picture"), "bad_request"],
  ["SVG", Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"), "bad_request"],
  ["nothing", Buffer.alloc(0), "bad_request"],
  ["a picture of 9,000 pixels", createPngOfSize(9_000, 1), "bad_request"],
  ["a picture of 11 MB", Buffer.alloc(11_000_000), "too_large"],
])("%s is rejected", (_, bytes, code) => {
  expect(() => readPicture(bytes)).toThrow(expect.objectContaining({ code }));
});
