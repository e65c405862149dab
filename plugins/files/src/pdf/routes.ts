import { extname } from "node:path";
import Joi from "@hapi/joi";
import {
  AppError,
  createJsonSyntaxError,
  type Part,
  type RouteTable,
  rawReply,
  route,
  type WorkspaceArea,
  type Workspaces,
} from "@parley/core";
import { contentDisposition, parseJsonBytes } from "@parley/core/http";
import { fileContent } from "../response-schemas.ts";
import { MEBIBYTE } from "../store/write-file.ts";
import { filesTexts } from "../texts.ts";
import type { ResolveArea } from "../workspace/trash-routes.ts";
import type { Converter } from "./converter.ts";

const MAX_BYTES = 50 * MEBIBYTE;

interface WorkspaceFileRef {
  readonly scope: "private" | "shared";
  readonly session_id?: string;
  readonly filename: string;
}
const session = Joi.string().max(500);
const workspaceFileRef = Joi.object<WorkspaceFileRef>({
  scope: Joi.valid("private", "shared").required(),
  session_id: session.when("scope", { not: "private", otherwise: Joi.required() }),
  filename: Joi.string().max(1_000).required(),
});

export interface PdfRoutesDeps {
  readonly converter: Converter;
  readonly workspaces: Workspaces;
  readonly areaOf: ResolveArea;
}

export function createPdfRoutes({ converter, workspaces, areaOf }: PdfRoutesDeps): RouteTable {
  const readUpload = async ({ filename, type, bytes }: Part) => {
    if (filename !== undefined || !/^application\/json\b/i.test(type)) return { name: filename ?? "", bytes };
    const { scope, session_id = "", filename: path } = parseWorkspaceFileRef(bytes);
    const area: WorkspaceArea = scope === "shared" ? { scope } : await areaOf(session_id);
    await using file = await workspaces.open(area, path);
    if (file.item.size > MAX_BYTES) throw createTooLargeError();
    return { name: file.item.name, bytes: await file.head(file.item.size) };
  };
  return [
    route({
      method: "POST",
      path: "/api/workspace/convert/pptx-to-pdf",
      summary: "convert PPTX to PDF",
      data: { "application/pdf": fileContent["*/*"] },
      reply: "raw",
      scope: "chat",
      payload: "document",
      maxBytes: MAX_BYTES + MEBIBYTE,
      body: Joi.object({
        file: Joi.any().description("The presentation"),
        ...toOptionalKeys(workspaceFileRef),
        session_id: session,
      }),
      timeoutMs: false,
      async run({ parts, signal }) {
        const [part, ...others] = parts.filter(({ name }) => name === "file");
        if (!part || others.length > 0)
          throw filesTexts.error("bad_request", "one_presentation", {}, { field: "file" });
        const { name, bytes } = await readUpload(part);
        if (bytes.length > MAX_BYTES) throw createTooLargeError();
        const pdf = await converter.pptxToPdf(bytes, signal);
        const shown = `${name.slice(0, name.length - extname(name).length) || "presentation"}.pdf`;
        return rawReply({
          body: pdf.stream(),
          type: "application/pdf",
          headers: {
            "content-length": String(pdf.size),
            "x-content-type-options": "nosniff",
            "content-security-policy": "sandbox",
            "content-disposition": contentDisposition("inline", shown),
            "cache-control": "private, no-cache",
          },
        });
      },
    }),
  ];
}

function parseWorkspaceFileRef(bytes: Uint8Array): WorkspaceFileRef {
  let json: unknown;
  try {
    json = parseJsonBytes(bytes);
  } catch {
    throw createJsonSyntaxError(bytes, "body");
  }
  const { value, error } = workspaceFileRef.validate(json, { convert: false });
  if (error) throw new AppError("bad_request", error.message);
  return value;
}

function toOptionalKeys(schema: Joi.ObjectSchema): Record<string, Joi.Schema> {
  return Object.fromEntries(
    Object.keys(schema.describe().keys ?? {}).map((key) => [key, schema.extract(key).optional()]),
  );
}

function createTooLargeError(): AppError {
  return filesTexts.error("too_large", "presentation_large", {}, { field: "file" });
}
