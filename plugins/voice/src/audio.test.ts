import { describe, expect, test } from "vitest";
import { detectAudioKind, getDurationMs, joinAudio } from "./audio.ts";

const latin1 = (text: string) => Buffer.from(text, "latin1");

test.each([
  ["wav", latin1("RIFF\0\0\0\0WAVEfmt ")],
  ["mp3", latin1("ID3\x04\0\0\0\0\0\0")],
  ["mp3", latin1("\xff\xfb\x90\0")],
  ["aac", latin1("\xff\xf1\x50\x80")],
  ["ogg", latin1("OggS\0")],
  ["flac", latin1("fLaC")],
  ["m4a", latin1("\0\0\0\x20ftypM4A ")],
  ["webm", latin1("\x1aE\xdf\xa3")],
  [undefined, latin1("RIFX\0\0\0\0WAVE")],
  [undefined, latin1("\x89PNG\r\n\x1a\n")],
  [undefined, latin1("\xff\xd8\xff\xe0 a picture")],
  [undefined, latin1("<html>OggS")],
  [undefined, Buffer.alloc(0)],
] as const)("%s is recognised by its first bytes", (kind, bytes) => {
  expect(detectAudioKind(bytes)).toBe(kind);
});

/** Creates half a second of audio, after a chunk of an unknown type. */
function createWave(sample: number): Buffer {
  const format = Buffer.alloc(16);
  for (const [at, value] of [
    [0, 1],
    [2, 1],
    [12, 1],
    [14, 8],
  ] as const)
    format.writeUInt16LE(value, at);
  format.writeUInt32LE(100, 4);
  format.writeUInt32LE(100, 8);
  const chunk = (name: string, content: Buffer) => {
    const head = Buffer.alloc(8);
    head.write(name, 0, "latin1");
    head.writeUInt32LE(content.length, 4);
    return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
  };
  const chunks = [chunk("junk", latin1("abc")), chunk("fmt ", format), chunk("data", Buffer.alloc(50, sample))];
  return Buffer.concat([latin1("RIFF\0\0\0\0WAVE"), ...chunks]);
}

describe("joining audio parts", () => {
  test("of WAV results in one file with the total duration", () => {
    expect(getDurationMs(createWave(1), "wav")).toBe(500);
    const both = joinAudio([createWave(1), createWave(2), createWave(3)], "wav") ?? Buffer.alloc(0);
    expect(getDurationMs(both, "wav")).toBe(1_500);
    expect(detectAudioKind(both)).toBe("wav");
    expect(Buffer.from(both).subarray(-51)).toEqual(Buffer.concat([Buffer.alloc(1, 2), Buffer.alloc(50, 3)]));
  });

  test("of MP3 results in one file without headers in later parts", () => {
    const frame = latin1("\xff\xfb\x90\0sound");
    const tagged = Buffer.concat([latin1("ID3\x04\0\0\0\0\0\x05title"), frame]);
    expect(joinAudio([tagged, tagged, frame], "mp3")).toEqual(Buffer.concat([tagged, frame, frame]));
  });

  test("that do not match is left to a new synthesis", () => {
    expect(joinAudio([latin1("OggS1"), latin1("OggS2")], "ogg")).toBeUndefined();
    expect(joinAudio([createWave(1), latin1("RIFF\0\0\0\0WAVE cut off")], "wav")).toBeUndefined();
    expect(joinAudio([], "mp3")).toBeUndefined();
  });
});
