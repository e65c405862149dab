import Joi from "@hapi/joi";
import { AppError } from "@parley/core";
import type { QRCodeErrorCorrectionLevel } from "qrcode";
import { sharingTexts } from "./texts.ts";

/** Appearance of a QR code. */
export interface QrOptions {
  /** Length of a side in pixels. */
  readonly size: number;
  /** Width of the margin in modules. */
  readonly margin: number;
  readonly level: QRCodeErrorCorrectionLevel;
  readonly format: "png" | "svg";
}

export const QR_OPTION_SCHEMAS = {
  size: Joi.number().integer().min(64).max(1024).default(256),
  margin: Joi.number().integer().min(0).max(10).default(4),
  level: Joi.string().valid("L", "M", "Q", "H").default("M"),
  format: Joi.string().valid("png", "svg").default("png"),
} as const;

export interface QrImage {
  readonly type: "image/png" | "image/svg+xml";
  readonly bytes: Buffer;
}

/** Renders a QR code; `bad_request` for a text that is too long for the level or the size. */
export async function renderQrCode(text: string, { size, margin, level, format }: QrOptions): Promise<QrImage> {
  const { toBuffer, toString: toText } = await import("qrcode");
  const options = { errorCorrectionLevel: level, margin, width: size };
  try {
    if (format === "svg") {
      const svg = await toText(text, { ...options, type: "svg" });
      return { type: "image/svg+xml", bytes: Buffer.from(svg) };
    }
    const bytes = await toBuffer(text, { ...options, type: "png" });
    // A module is at least one pixel, so a code that does not fit becomes larger.
    const width = bytes.readUInt32BE(16);
    if (width !== size) throw sharingTexts.error("bad_request", "small", { width }, { field: "size" });
    return { type: "image/png", bytes };
  } catch (error) {
    if (AppError.is(error)) throw error;
    throw sharingTexts.error("bad_request", "text_long", { level }, { field: "text", cause: error });
  }
}
