import { type RouteTable, route } from "@parley/core";
import type { ContextService } from "../conversations/context-service.ts";
import { compressBody, promptBody, restoreBody, summaryBody, timelineBody, timelineQuery } from "../schemas/context.ts";
import {
  compressData,
  promptData,
  promptRemovedData,
  restoreData,
  summaryData,
  timelineEntry,
  timelineList,
} from "../schemas/responses.ts";
import { sessionPath } from "./paths.ts";

export function createContextRoutes(context: ContextService): RouteTable {
  const prompt = `${sessionPath}/custom-prompt` as const;
  const timeline = `${sessionPath}/runtime-timeline` as const;
  return [
    route({
      method: "POST",
      path: `${sessionPath}/compress`,
      summary: "replace older messages by a summary",
      data: compressData,
      body: compressBody,
      timeoutMs: false,
      run: ({ params, body, signal }) => context.compress(params.session_id, body.keep_last, signal),
    }),
    route({
      method: "POST",
      path: `${sessionPath}/ai-summary`,
      summary: "summarize the session",
      data: summaryData,
      body: summaryBody,
      timeoutMs: false,
      run: ({ params, body: { max_chars, save_memories }, signal, caller }) =>
        context.summarize(params.session_id, max_chars, signal, save_memories ? caller.username : undefined),
    }),
    route({
      method: "POST",
      path: `${sessionPath}/restore-from-archive`,
      summary: "restore compressed messages",
      data: restoreData,
      body: restoreBody,
      run: ({ params, body }) => context.restore(params.session_id, body.turns ?? body.count ?? 1),
    }),
    route({
      method: "GET",
      path: prompt,
      summary: "get the session's custom prompt",
      data: promptData,
      run: ({ params }) => context.customPrompt(params.session_id),
    }),
    route({
      method: "PUT",
      path: prompt,
      summary: "set the session's custom prompt",
      data: promptData,
      body: promptBody,
      run: ({ params, body }) => context.setCustomPrompt(params.session_id, body.content),
    }),
    route({
      method: "DELETE",
      path: prompt,
      summary: "remove the session's custom prompt",
      data: promptRemovedData,
      run: ({ params }) => context.setCustomPrompt(params.session_id, null),
    }),
    route({
      method: "GET",
      path: timeline,
      summary: "list changes of the character's state",
      data: timelineList,
      query: timelineQuery,
      run: ({ params, query }) => context.timeline(params.session_id, query),
    }),
    route({
      method: "POST",
      path: timeline,
      summary: "record a state of the character",
      data: timelineEntry,
      body: timelineBody,
      run: ({ params, body }) => context.addToTimeline(params.session_id, body),
    }),
  ];
}
