import { type RouteTable, route } from "@parley/core";
import { cardTexts } from "../texts.ts";
import { MAX_PICTURE_BYTES } from "./picture.ts";
import type { Portraits } from "./portraits.ts";
import { cleanBody, cleanData, pictureUrl, portraitData, portraitRemovedData } from "./schema.ts";

const base = "/api/personality";
/** Bytes that the form around a file may have. */
export const MULTIPART_OVERHEAD_BYTES = 65_536;

/** Creates the routes of portraits. */
export function createPortraitRoutes(portraits: Portraits): RouteTable {
  return [
    route({
      method: "POST",
      path: `${base}/portrait`,
      scope: "write",
      summary: "store a portrait",
      payload: "multipart",
      maxBytes: MAX_PICTURE_BYTES + MULTIPART_OVERHEAD_BYTES,
      data: portraitData,
      run({ parts }) {
        const file = parts.find(({ name }) => name === "file");
        if (!file || parts.length > 1) throw cardTexts.error("bad_request", "one_picture", {}, { field: "file" });
        return portraits.store(file.bytes);
      },
    }),
    route({
      method: "DELETE",
      path: `${base}/portrait`,
      scope: "write",
      summary: "delete a portrait",
      body: pictureUrl,
      query: pictureUrl,
      data: portraitRemovedData,
      async run({ body, query }) {
        const url = body.url ?? query.url ?? "";
        return { deleted: true, url, references_cleared: await portraits.remove(url) };
      },
    }),
    route({
      method: "POST",
      path: `${base}/clean-unused-portraits`,
      scope: "write",
      summary: "delete portraits that nothing has",
      body: cleanBody,
      data: cleanData,
      timeoutMs: false,
      run: ({ body }) => portraits.clean(body.dry_run),
    }),
  ];
}
