import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request for speech. */
export interface SpeechRequest {
  readonly input: string;
  readonly voice?: string;
  readonly speed?: number;
  readonly response_format?: string;
}

export type VoiceFault = "hang" | "noise" | "empty" | { readonly status: number };

/** A speech and transcription provider with the common protocol, over real HTTP. */
export interface VoiceServer extends AsyncDisposable {
  readonly baseUrl: string;
  /** Texts to speak, in order. */
  readonly speechRequests: readonly SpeechRequest[];
  /** Form fields of each transcription request, in order. */
  readonly transcriptions: readonly Readonly<Record<string, string>>[];
  /** Sets the transcript of recordings that are not from `createRecording`. Default: empty. */
  setTranscript(words: string): void;
  /** Sets a fault; undefined for normal operation. */
  setFault(fault: VoiceFault | undefined): void;
}

const SAMPLE_RATE = 8_000;
const SPEECH_MARK = "SAID:";

/** Creates a recording that contains sound, and the spoken words for `VoiceServer` to return. */
export function createRecording(words: string, kind: "wav" | "ogg" = "wav"): Buffer {
  const sound = Buffer.from(`${SPEECH_MARK}${Buffer.from(words).toString("base64")}\n`);
  if (kind === "ogg") return Buffer.concat([Buffer.from("OggS\0\x02", "latin1"), Buffer.alloc(40), sound]);
  return Buffer.concat([createWav(SAMPLE_RATE / 4), sound]);
}

/** Creates a WAV file with a tone of this many samples. */
export function createWav(samples: number): Buffer {
  const file = Buffer.alloc(44 + samples * 2);
  file.write("RIFF", 0, "latin1");
  file.writeUInt32LE(file.length - 8, 4);
  file.write("WAVEfmt ", 8, "latin1");
  for (const [at, value] of [
    [16, 16],
    [24, SAMPLE_RATE],
    [28, SAMPLE_RATE * 2],
    [40, samples * 2],
  ] as const)
    file.writeUInt32LE(value, at);
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 2],
    [34, 16],
  ] as const)
    file.writeUInt16LE(value, at);
  file.write("data", 36, "latin1");
  for (let at = 0; at < samples; at += 1) file.writeInt16LE(Math.round(6_000 * Math.sin(at / 3)), 44 + at * 2);
  return file;
}

export async function startVoiceServer(): Promise<VoiceServer> {
  const spoken: SpeechRequest[] = [];
  const received: Readonly<Record<string, string>>[] = [];
  let unmarked = "";
  let fault: VoiceFault | undefined;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks);
      const isSpeech = request.url?.endsWith("/audio/speech") === true;
      if (isSpeech) spoken.push(JSON.parse(body.toString()) as SpeechRequest);
      else received.push(readFormFields(body.toString("latin1")));
      if (fault === "hang") return;
      if (typeof fault === "object") return sendJson(response, fault.status, { error: { message: "scripted" } });
      if (!isSpeech) return sendJson(response, 200, readTranscript(body.toString("latin1"), unmarked));
      response.writeHead(200, { "content-type": "audio/wav" });
      response.end(createSound(spoken.at(-1) as SpeechRequest, fault));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    speechRequests: spoken,
    transcriptions: received,
    setTranscript(words) {
      unmarked = words;
    },
    setFault(next) {
      fault = next;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

/** Creates a sound as long as its text, in the requested container where that takes only a few bytes. */
function createSound({ input, response_format }: SpeechRequest, fault: VoiceFault | undefined): Buffer {
  if (fault === "empty") return Buffer.alloc(0);
  if (fault === "noise") return Buffer.from("<html>no sound</html>");
  if (response_format === "opus") return createRecording(input, "ogg");
  const frames = Buffer.alloc(64, 0);
  if (response_format === "flac") return Buffer.concat([Buffer.from("fLaC"), frames]);
  if (response_format === "aac") return Buffer.concat([Buffer.from([0xff, 0xf1]), frames]);
  return createWav(400 + input.length * 40);
}

function readTranscript(form: string, unmarked: string): object {
  const found = new RegExp(`${SPEECH_MARK}([A-Za-z0-9+/=]*)\n`).exec(form)?.[1];
  return {
    text: found === undefined ? unmarked : Buffer.from(found, "base64").toString("utf8"),
    language: "english",
    duration: 0.25,
  };
}

function readFormFields(form: string): Readonly<Record<string, string>> {
  const found = form.matchAll(
    /name="([\w[\]]+)"(?:; filename="([^"]*)")?\r\n(?:content-type: [^\r]*\r\n)?\r\n([^\r]{0,200})/gi,
  );
  return Object.fromEntries([...found].map(([, name = "", filename, value = ""]) => [name, filename ?? value]));
}
