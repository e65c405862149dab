import { extname } from "node:path";
import Joi from "@hapi/joi";
import {
  AppError,
  contentDisposition,
  jsonRefusal,
  type Part,
  type RouteTable,
  rawReply,
  route,
  type WorkspaceArea,
  type Workspaces,
} from "@parley/core";
import { fileContent } from "../answers.ts";
import { fileFailure } from "../said-failures.ts";
import type { AreaOf } from "../workspace/other-routes.ts";
import { MEBIBYTE } from "../write-file.ts";
import type { Converter } from "./converter.ts";

const MAX_BYTES = 50 * MEBIBYTE;

interface Named {
  readonly scope: "private" | "shared";
  readonly session_id?: string;
  readonly filename: string;
}
const session = Joi.string().max(500);
const named = Joi.object<Named>({
  scope: Joi.valid("private", "shared").required(),
  session_id: session.when("scope", { not: "private", otherwise: Joi.required() }),
  filename: Joi.string().max(1_000).required(),
});

export interface PdfRoutesParts {
  readonly converter: Converter;
  readonly workspaces: Workspaces;
  readonly areaOf: AreaOf;
}

export function pdfRoutes({ converter, workspaces, areaOf }: PdfRoutesParts): RouteTable {
  const given = async ({ filename, type, bytes }: Part) => {
    if (filename !== undefined || !/^application\/json\b/i.test(type)) return { name: filename ?? "", bytes };
    const { scope, session_id = "", filename: path } = read(bytes);
    const area: WorkspaceArea = scope === "shared" ? { scope } : await areaOf(session_id);
    await using file = await workspaces.open(area, path);
    if (file.item.size > MAX_BYTES) throw tooLarge();
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
      body: Joi.object({ file: Joi.any().description("The presentation"), ...keysOf(named), session_id: session }),
      timeoutMs: false,
      async run({ parts, signal }) {
        const [part, ...others] = parts.filter(({ name }) => name === "file");
        if (!part || others.length > 0) throw fileFailure("bad_request", "one_presentation", {}, { field: "file" });
        const { name, bytes } = await given(part);
        if (bytes.length > MAX_BYTES) throw tooLarge();
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

function read(bytes: Uint8Array): Named {
  let json: unknown;
  try {
    json = JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch {
    throw jsonRefusal(bytes, "body");
  }
  const { value, error } = named.validate(json, { convert: false });
  if (error) throw new AppError("bad_request", error.message);
  return value;
}

function keysOf(schema: Joi.ObjectSchema): Record<string, Joi.Schema> {
  return Object.fromEntries(
    Object.keys(schema.describe().keys ?? {}).map((key) => [key, schema.extract(key).optional()]),
  );
}

function tooLarge(): AppError {
  return fileFailure("too_large", "presentation_large", {}, { field: "file" });
}
