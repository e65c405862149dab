import Joi from "@hapi/joi";
import {
  type AppError,
  deadline,
  type Egress,
  type EgressPolicy,
  type Files,
  isStoredUrl,
  type ModelCalls,
  modelError,
  type Tool,
  type TurnStage,
  textOf,
  tool,
  withPattern,
} from "@parley/core";
import { toolsTexts } from "../texts.ts";

const MAX_BYTES = 5 * 1024 * 1024;
const FETCH_TIMEOUT_MS = 20_000;
const MODEL_TIMEOUT_MS = 120_000;
const GENERATE_TOOL = "generate_image";

export interface ImageToolsDeps {
  readonly calls: () => ModelCalls;
  readonly files: () => Files;
  readonly egress: () => Egress;
  readonly reach: () => EgressPolicy["reach"];
  readonly hasModelFor: (purpose: "vision" | "image_generation") => boolean;
}

interface ImageData {
  readonly bytes: Uint8Array;
  readonly mimeType: string;
}

/** Creates the tools that look at and draw pictures, with the models configured for that. */
export function createImageTools(deps: ImageToolsDeps): readonly Tool[] {
  const { calls, files, hasModelFor } = deps;
  const shared = { scope: "gateway.read", audience: ["ai"], group: "pictures", timeoutMs: MODEL_TIMEOUT_MS } as const;
  const prompt = textOf(4_000).trim().min(1).disallow("").required();
  return [
    tool<{ readonly prompt: string; readonly image_source: string }>({
      ...shared,
      risk: "read",
      name: "understand_image",
      help: { en: "Looks at a picture and answers a question about it.", zh: "查看图片并回答有关问题。" },
      purpose: "Answers a question about a picture.",
      args: Joi.object({
        prompt,
        image_source: textOf(2_000)
          .min(1)
          .disallow("")
          .required()
          .description("An http or https address, or the url of an attachment"),
      }),
      answersAreData: true,
      isOffered: () => hasModelFor("vision"),
      async run({ prompt: question, image_source }, { signal, traceId, sessionId }) {
        const { bytes, mimeType } = await loadImage(image_source, deps, signal);
        const picture = { type: "file", mediaType: mimeType, data: { type: "data", data: bytes } } as const;
        const content = [{ type: "text", text: question } as const, picture];
        const asking = { session: sessionId ?? null, traceId, signal };
        const { text, failure } = await calls().ask({
          purpose: "vision",
          messages: [{ role: "user", content }],
          ...asking,
        }).answer;
        signal.throwIfAborted();
        if (failure) throw modelError(failure);
        return text;
      },
    }),
    tool<{ readonly prompt: string; readonly size?: string }>({
      ...shared,
      risk: "action",
      name: GENERATE_TOOL,
      help: {
        en: "Creates a picture from a description and attaches it to the answer.",
        zh: "按描述生成图片，附在回答中。",
      },
      purpose: "Generates a picture from your description and attaches it to your answer.",
      args: Joi.object({
        prompt,
        size: withPattern(Joi.string(), /^\d{2,4}x\d{2,4}$/, {
          en: "must be a size like 1024x1024",
          zh: "须为尺寸，例如 1024x1024",
        }).description("Such as 1024x1024"),
      }),
      isOffered: () => hasModelFor("image_generation"),
      async run({ prompt: wanted, size }, { signal, traceId, sessionId }) {
        const asking = { session: sessionId ?? null, traceId, signal };
        const { images } = await calls().image(wanted, { count: 1, ...(size && { size }), ...asking });
        const [made] = images;
        const mimeType = made && detectImageType(made.bytes);
        if (!made || !mimeType) throw toolsTexts.error("upstream_failed", "no_picture");
        const name = `picture.${mimeType.split("/")[1]}`;
        const { url, size: bytes } = await files().put(made.bytes, { name }, signal);
        return { url, name, mime_type: mimeType, size: bytes };
      },
    }),
  ];
}

const generatedImageSchema = Joi.object<{ url: string; name: string; mime_type: string; size: number }>({
  url: Joi.string()
    .pattern(/^\/static\/files\//)
    .required(),
  name: Joi.string().required(),
  mime_type: Joi.string().required(),
  size: Joi.number().required(),
});

/** Attaches drawn pictures to the answer of their turn. */
export const attachImagesStage: TurnStage = {
  id: "tools.pictures",
  phase: "decorate",
  concerns: ({ replies }) => replies.some(({ toolCalls = [] }) => toolCalls.length > 0),
  async run(turn) {
    const replies = turn.replies.map((reply) => {
      const made = (reply.toolCalls ?? []).filter(({ name, status }) => name === GENERATE_TOOL && status === "ok");
      if (made.length === 0) return reply;
      const pictures = made.map(({ result }) => {
        const { url, name, mime_type, size } = Joi.attempt(JSON.parse(result), generatedImageSchema);
        return { type: "image", url, name, mime_type, size, source: "tool" } as const;
      });
      return { ...reply, attachments: [...reply.attachments, ...pictures] };
    });
    return { ...turn, replies };
  },
};

async function loadImage(source: string, deps: ImageToolsDeps, signal: AbortSignal): Promise<ImageData> {
  const bytes = isStoredUrl(source)
    ? await loadStoredImage(source, deps.files())
    : await fetchImage(source, deps, signal);
  const mimeType = detectImageType(bytes);
  if (!mimeType) throw toolsTexts.error("bad_request", "not_a_picture", {}, { field: "image_source" });
  return { bytes, mimeType };
}

async function loadStoredImage(url: string, files: Files): Promise<Uint8Array> {
  const file = await files.open(url);
  if (file.size > MAX_BYTES) throw createTooLargeError();
  return file.bytes();
}

async function fetchImage(source: string, { egress, reach }: ImageToolsDeps, signal: AbortSignal): Promise<Uint8Array> {
  const url = URL.parse(source);
  if (!url || !["http:", "https:"].includes(url.protocol))
    throw toolsTexts.error("bad_request", "picture_address", {}, { field: "image_source" });
  using limit = deadline(FETCH_TIMEOUT_MS, signal);
  const send = egress().fetch({ reach: reach(), redirects: 3, timeoutMs: FETCH_TIMEOUT_MS, maxBytes: MAX_BYTES });
  const response = await send(url, { signal: limit.signal }).catch((error: unknown) => {
    signal.throwIfAborted();
    throw limit.signal.aborted ? toolsTexts.error("timed_out", "host_late", { host: url.host }) : error;
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw toolsTexts.error("upstream_failed", "host_answered", { host: url.host, status: response.status });
  }
  return new Uint8Array(await response.arrayBuffer());
}

/** Detects the image type by its signature, because a wrong one may be declared. */
function detectImageType(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 12)).toString("latin1");
  if (head.startsWith("\u0089PNG\r\n")) return "image/png";
  if (head.startsWith("\u00ff\u00d8\u00ff")) return "image/jpeg";
  if (head.startsWith("GIF8")) return "image/gif";
  return head.startsWith("RIFF") && head.slice(8) === "WEBP" ? "image/webp" : undefined;
}

function createTooLargeError(): AppError {
  return toolsTexts.error("too_large", "picture_large", { most: MAX_BYTES / 1024 ** 2 }, { field: "image_source" });
}
