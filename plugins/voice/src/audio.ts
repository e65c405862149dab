export type AudioKind = "wav" | "mp3" | "ogg" | "flac" | "aac" | "m4a" | "webm";

const SIGNATURES: readonly (readonly [kind: AudioKind, at: number, bytes: string])[] = [
  ["wav", 8, "WAVE"],
  ["mp3", 0, "ID3"],
  ["ogg", 0, "OggS"],
  ["flac", 0, "fLaC"],
  ["m4a", 4, "ftyp"],
  ["webm", 0, "\x1aE\xdf\xa3"],
];

export const AUDIO_TYPES: Readonly<Record<AudioKind, string>> = {
  wav: "audio/wav",
  mp3: "audio/mpeg",
  ogg: "audio/ogg",
  flac: "audio/flac",
  aac: "audio/aac",
  m4a: "audio/mp4",
  webm: "audio/webm",
};

/** Detects the format of an audio file by its signature; undefined if it is unknown. */
export function detectAudioKind(bytes: Uint8Array): AudioKind | undefined {
  const head = Buffer.from(bytes.subarray(0, 16)).toString("latin1");
  const found = SIGNATURES.find(([, at, start]) => head.startsWith(start, at))?.[0];
  if (found === "wav") return head.startsWith("RIFF") ? found : undefined;
  if (found !== undefined) return found;
  // A frame of MPEG audio begins with eleven set bits; AAC has layer zero.
  const [first = 0, second = 0] = bytes;
  if (first !== 0xff) return undefined;
  if ((second & 0xf6) === 0xf0) return "aac";
  return (second & 0xe0) === 0xe0 && (second & 0x06) !== 0 ? "mp3" : undefined;
}

interface WavFile {
  /** The content of the chunk `fmt `, which describes the audio. */
  readonly format: Buffer;
  readonly sound: Buffer;
}

function parseWav(bytes: Uint8Array): WavFile | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let format: Buffer | undefined;
  for (let at = 12; at + 8 <= file.length; ) {
    const size = file.readUInt32LE(at + 4);
    const content = file.subarray(at + 8, at + 8 + size);
    const name = file.toString("latin1", at, at + 4);
    if (name === "fmt " && content.length >= 16) format = content;
    // A program that writes while it records does not know the length, so the rest of the file is audio.
    if (name === "data") return format && { format, sound: content };
    at += 8 + size + (size % 2);
  }
  return undefined;
}

/** Returns the duration in milliseconds; null for all but valid WAV files. */
export function getDurationMs(bytes: Uint8Array, kind: AudioKind): number | null {
  if (kind !== "wav") return null;
  const wave = parseWav(bytes);
  const perSecond = wave?.format.readUInt32LE(8) ?? 0;
  return wave && perSecond > 0 ? Math.round((wave.sound.length / perSecond) * 1000) : null;
}

/** Joins several files to one; undefined where that would require encoding. */
export function joinAudio(files: readonly Uint8Array[], kind: AudioKind): Uint8Array | undefined {
  const [first, ...rest] = files;
  if (!first || rest.length === 0) return first;
  if (kind === "aac") return Buffer.concat(files);
  if (kind === "mp3") return Buffer.concat([first, ...rest.map(stripId3Tag)]);
  if (kind !== "wav") return undefined;
  const waves = files.map(parseWav);
  const [wave] = waves;
  if (!wave || !waves.every((one) => one?.format.equals(wave.format))) return undefined;
  return buildWav(wave.format, Buffer.concat(waves.map((one) => one?.sound ?? Buffer.alloc(0))));
}

/** Returns MPEG audio without the ID3 tag at its start. */
function stripId3Tag(bytes: Uint8Array): Uint8Array {
  if (Buffer.from(bytes.subarray(0, 3)).toString("latin1") !== "ID3") return bytes;
  const [a = 0, b = 0, c = 0, d = 0] = bytes.subarray(6, 10);
  return bytes.subarray(10 + ((a & 0x7f) << 21) + ((b & 0x7f) << 14) + ((c & 0x7f) << 7) + (d & 0x7f));
}

function buildWav(format: Buffer, sound: Buffer): Buffer {
  const head = Buffer.alloc(20);
  head.write("RIFF", 0, "latin1");
  head.writeUInt32LE(20 + format.length + sound.length, 4);
  head.write("WAVEfmt ", 8, "latin1");
  head.writeUInt32LE(format.length, 16);
  const mark = Buffer.alloc(8);
  mark.write("data", 0, "latin1");
  mark.writeUInt32LE(sound.length, 4);
  return Buffer.concat([head, format, mark, sound]);
}
