import { useEffect, useRef, useState } from "react";
import { uploadForm } from "../../../shared/api/client.ts";

const MAX_RECORDING_MS = 300_000;

export interface Dictation {
  readonly state: "idle" | "recording" | "working";
  readonly error: unknown;
  /** Starts recording, or stops it and transcribes. */
  toggle(): void;
}

/** False without TLS and in browsers that cannot record. */
export const CAN_RECORD = typeof MediaRecorder !== "undefined" && navigator.mediaDevices !== undefined;

/** Records from the microphone and passes the transcribed text to `onText`. */
export function useDictation(onText: (text: string) => void): Dictation {
  const [state, setState] = useState<Dictation["state"]>("idle");
  const [error, setError] = useState<unknown>();
  const recorder = useRef<MediaRecorder>(undefined);
  const latest = useRef(onText);
  latest.current = onText;
  const unmount = useRef(new AbortController());
  useEffect(() => {
    unmount.current = new AbortController();
    return () => {
      unmount.current.abort();
      stopTracks(recorder.current);
    };
  }, []);

  const record = async () => {
    setError(undefined);
    const { signal } = unmount.current;
    const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
    const mediaRecorder = new MediaRecorder(stream);
    recorder.current = mediaRecorder;
    if (signal.aborted) return stopTracks(mediaRecorder);
    const chunks: Blob[] = [];
    const limit = setTimeout(() => mediaRecorder.state === "recording" && mediaRecorder.stop(), MAX_RECORDING_MS);
    mediaRecorder.addEventListener("dataavailable", ({ data }) => chunks.push(data));
    mediaRecorder.addEventListener("stop", () => {
      clearTimeout(limit);
      stopTracks(mediaRecorder);
      if (signal.aborted) return;
      setState("working");
      transcribe(new Blob(chunks, { type: mediaRecorder.mimeType }), signal)
        .then(
          (text) => text && latest.current(text),
          (thrown) => signal.aborted || setError(thrown),
        )
        .finally(() => signal.aborted || setState("idle"));
    });
    mediaRecorder.start();
    setState("recording");
  };
  return {
    state,
    error,
    toggle() {
      if (state === "recording") recorder.current?.stop();
      if (state === "idle") record().catch(setError);
    },
  };
}

/** Stops the microphone, which turns its indicator off. */
function stopTracks(recorder: MediaRecorder | undefined): void {
  for (const track of recorder?.stream.getTracks() ?? []) track.stop();
}

async function transcribe(recording: Blob, signal: AbortSignal): Promise<string> {
  const { text } = await uploadForm("/api/stt/transcribe", [["audio", recording, "recording"]], { signal });
  return text;
}
