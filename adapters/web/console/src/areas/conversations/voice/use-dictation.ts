import { useEffect, useRef, useState } from "react";
import { uploadForm } from "../../../shared/api/client.ts";

const MAX_RECORDING_MS = 300_000;

export interface Dictation {
  readonly state: "idle" | "recording" | "working";
  readonly error: unknown;
  /** Starts recording, or stops it and transcribes. */
  toggle(): void;
}

/** Without TLS, and in some browsers, nothing can be recorded. */
export const CAN_RECORD = typeof MediaRecorder !== "undefined" && navigator.mediaDevices !== undefined;

/** Dictation: speech from the microphone as text. */
export function useDictation(onText: (text: string) => void): Dictation {
  const [state, setState] = useState<Dictation["state"]>("idle");
  const [error, setError] = useState<unknown>();
  const recorder = useRef<MediaRecorder>(undefined);
  const latest = useRef(onText);
  latest.current = onText;
  const isUnmounted = useRef(new AbortController());
  useEffect(() => {
    isUnmounted.current = new AbortController();
    return () => {
      isUnmounted.current.abort();
      stopTracks(recorder.current);
    };
  }, []);

  const record = async () => {
    setError(undefined);
    const { signal } = isUnmounted.current;
    const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
    const made = new MediaRecorder(stream);
    recorder.current = made;
    if (signal.aborted) return stopTracks(made);
    const chunks: Blob[] = [];
    const limit = setTimeout(() => made.state === "recording" && made.stop(), MAX_RECORDING_MS);
    made.addEventListener("dataavailable", ({ data }) => chunks.push(data));
    made.addEventListener("stop", () => {
      clearTimeout(limit);
      stopTracks(made);
      if (signal.aborted) return;
      setState("working");
      transcribe(new Blob(chunks, { type: made.mimeType }), signal)
        .then(
          (text) => text && latest.current(text),
          (thrown) => signal.aborted || setError(thrown),
        )
        .finally(() => signal.aborted || setState("idle"));
    });
    made.start();
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
