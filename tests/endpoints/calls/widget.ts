import { Secrets } from "@parley/core";
import { createVisitorTokens } from "../../../adapters/widget/src/visitors.ts";
import type { Call, Seed } from "../calls.ts";

let count = 0;

/** Creates a website chat whose visitors may send files. */
async function createWidgetChannel({ api }: Seed): Promise<{ readonly channel_id: string }> {
  const channel_id = `widget-${++count}`;
  await api.post("/api/channels/presets/widget", { id: channel_id, config: { files: true } });
  return { channel_id };
}

/** Returns a website chat and the token of one of its visitors. */
async function createVisitor(seed: Seed): Promise<{ readonly channel_id: string; readonly visitor: string }> {
  const { channel_id } = await createWidgetChannel(seed);
  const tokens = createVisitorTokens(() => seed.host.get(Secrets), Date);
  return { channel_id, visitor: tokens.issue(channel_id, tokens.create()) };
}

function toUpload({ visitor = "" }: Readonly<Record<string, string>>): Uint8Array {
  const lines = [
    "--part",
    'Content-Disposition: form-data; name="visitor"',
    "",
    visitor,
    "--part",
    'Content-Disposition: form-data; name="file"; filename="notes.txt"',
    "",
    "a note",
    "--part--",
    "",
  ];
  return new TextEncoder().encode(lines.join("\r\n"));
}

/** Routes of the script that puts a chat on a website. */
export const WIDGET_CALLS: Readonly<Record<string, Call>> = {
  "GET /widget.js": { isRaw: true, type: /^text\/javascript/, gives: ["attachShadow"] },
  "GET /api/widget/{channel_id}": { params: createWidgetChannel, gives: ["title", "color", "files"] },
  "POST /api/widget/{channel_id}/files": {
    params: createVisitor,
    body: toUpload,
    headers: { "content-type": "multipart/form-data; boundary=part" },
    gives: ["file", "name", "type", "size"],
  },
};
