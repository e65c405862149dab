import Joi from "@hapi/joi";
import { AppError, type RawReply, type RouteTable, rawReply, reportProblem, route, type Sessions } from "@parley/core";
import { answerFields, bytes, envelopeOf, serveFile, shape } from "@parley/core/http";
import { getPageTexts } from "./page-texts.ts";
import type { Publications, StoredPublication } from "./publications.ts";
import { QR_OPTION_SCHEMAS, type QrImage, type QrOptions, renderQrCode } from "./qr-code.ts";
import type { PublicationReader, ReadRequest } from "./reader.ts";
import {
  type Publication,
  publicationData,
  shareBody,
  sharedSession,
  sharePreview,
  UNPUBLISHED,
  unpublishedData,
} from "./schema.ts";
import { sharingTexts } from "./texts.ts";

const MAX_FORM_BYTES = 4_096;
const TICKET_SECONDS = 3_600;

export interface RouteDeps {
  readonly publications: Publications;
  readonly reading: PublicationReader;
  readonly sessions: () => Pick<Sessions, "get">;
  /** Returns `web.public_base_url`; empty when it is not set. */
  readonly baseUrl: () => string;
}

const HTML = { "text/html": answerFields.text };
const pageQuery = Joi.object<{ page: number }>({ page: Joi.number().integer().min(1).max(100_000).default(1) });

const fileQuery = Joi.object<{ ticket?: string }>({
  ticket: Joi.string().max(100).description("Proves that the password was right"),
});

/** Routes that publish a session and read publications. */
export function createSharingRoutes(deps: RouteDeps): RouteTable {
  const { publications, reading } = deps;
  return [
    route({
      method: "POST",
      path: "/api/sessions/{session_id}/public",
      summary: "publish the current state of a session",
      data: publicationData,
      body: shareBody,
      run: async ({ params, body, origin }) =>
        toPublicationView(deps, await publications.publish(params.session_id, body), origin),
    }),
    route({
      method: "POST",
      path: "/api/sessions/{session_id}/public/preview",
      summary: "preview the beginning of a publication",
      scope: "read",
      data: sharePreview,
      body: shareBody,
      run: ({ params, body: { password: _password, ...options } }) => publications.preview(params.session_id, options),
    }),
    route({
      method: "DELETE",
      path: "/api/sessions/{session_id}/public",
      summary: "end a publication; its link stops working at once",
      data: unpublishedData,
      async run({ params }) {
        await publications.unpublish(params.session_id);
        return UNPUBLISHED;
      },
    }),
    route({
      method: "GET",
      path: "/api/sessions/{session_id}/public/status",
      summary: "get the publication of a session",
      data: answerFields.either(publicationData, unpublishedData),
      async run({ params, origin }) {
        const stored = await publications.findBySession(params.session_id);
        return stored ? toPublicationView(deps, stored, origin) : UNPUBLISHED;
      },
    }),
    route({
      method: "GET",
      path: "/api/public/{public_id}",
      summary: "a published session",
      data: sharedSession,
      auth: "open",
      async run({ params, address, headers }) {
        const password = decodePassword(headers["x-share-password"]);
        const { view, ticket } = await reading.read({ publicId: params.public_id, address, password });
        const body = view.toJson(ticket);
        return rawReply({ type: "application/json", body, headers: { "cache-control": "no-store" } });
      },
    }),
    route({
      method: "GET",
      path: "/public/{public_id}/files/{filename}",
      summary: "a file that a published session shows",
      data: { "*/*": bytes },
      auth: "open",
      reply: "raw",
      query: fileQuery,
      async run({ params, query, address, headers }) {
        const ticket = query.ticket ?? readTicketCookie(headers.cookie);
        const file = await reading.openFile({ publicId: params.public_id, address, ticket }, params.filename);
        const etag = `"${file.sha256.slice(0, 32)}"`;
        return serveFile({ ...file, etag }, { download: false, headers }, "private, no-cache");
      },
    }),
    route({
      method: "GET",
      path: "/public/{public_id}",
      summary: "a published session as a page",
      data: HTML,
      auth: "open",
      reply: "raw",
      query: pageQuery,
      run({ params, query, address, headers, origin }) {
        const opened = { publicId: params.public_id, address, ticket: readTicketCookie(headers.cookie) };
        return renderPage(deps, opened, { headers, origin, ...query });
      },
    }),
    route({
      method: "POST",
      path: "/public/{public_id}",
      summary: "the same with its password",
      data: HTML,
      auth: "open",
      reply: "raw",
      payload: "raw",
      maxBytes: MAX_FORM_BYTES,
      run({ params, address, headers, origin, parts: [form] }) {
        const password = new URLSearchParams(Buffer.from(form?.bytes ?? []).toString("utf8")).get("password") ?? "";
        return renderPage(deps, { publicId: params.public_id, address, password }, { headers, origin, page: 1 });
      },
    }),
  ];
}

const qrImageSchema = {
  "image/png": bytes,
  "image/svg+xml": bytes,
  "application/json": envelopeOf(
    shape({ mime_type: answerFields.text, size: answerFields.count, data_url: answerFields.text }, "QrCode"),
  ),
};
const MAX_TEXT_BYTES = 2_000;
const codeText = Joi.string().custom((text: string, helpers) =>
  Buffer.byteLength(text) <= MAX_TEXT_BYTES
    ? text
    : reportProblem(sharingTexts.error("bad_request", "text_bytes", { most: MAX_TEXT_BYTES }), helpers),
);

/** Routes that create QR codes, which are not stored. */
export function createQrRoutes(deps: RouteDeps): RouteTable {
  return [
    route({
      method: "POST",
      path: "/qrcode/generate",
      summary: "a QR code of a text",
      data: qrImageSchema,
      reply: "raw",
      body: Joi.object<QrOptions & { readonly text?: string; readonly data?: string }>({
        text: codeText,
        data: codeText.description("The same as text"),
        ...QR_OPTION_SCHEMAS,
      }).xor("text", "data"),
      run: async ({ body: { text, data = "", ...look }, headers }) =>
        toQrReply(await renderQrCode(text ?? data, look), look, headers.accept),
    }),
    route({
      method: "GET",
      path: "/qrcode/session/{session_id}",
      summary: "a QR code that leads to a session",
      data: qrImageSchema,
      reply: "raw",
      query: Joi.object<QrOptions>(QR_OPTION_SCHEMAS),
      async run({ params, query, headers, origin }) {
        const session = await deps.sessions().get(params.session_id);
        const stored = await deps.publications.findBySession(session.id);
        const base = getBaseUrl(deps, origin);
        const address = stored ? `${base}/public/${stored.publicId}` : `${base}/#/sessions/${session.id}`;
        const kind = { "x-share-kind": stored ? "public" : "console" };
        return toQrReply(await renderQrCode(address, query), query, headers.accept, kind);
      },
    }),
  ];
}

function toQrReply(
  { type, bytes: body }: QrImage,
  { size }: QrOptions,
  accept = "",
  headers: Record<string, string> = {},
): RawReply {
  if (!/^application\/json\b/.test(accept.trim())) return rawReply({ type, body, headers });
  const data = { mime_type: type, size, data_url: `data:${type};base64,${body.toString("base64")}` };
  return rawReply({ type: "application/json", body: JSON.stringify({ success: true, data, message: "" }), headers });
}

interface PageRequest {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly origin: string;
  readonly page: number;
}

async function renderPage(
  { reading }: RouteDeps,
  asking: ReadRequest,
  { headers, origin, page: at }: PageRequest,
): Promise<RawReply> {
  // The Markdown renderer is loaded with the first reader.
  const { renderGonePage, PAGE_HEADERS, renderPasswordPage } = await import("./page.ts");
  const texts = getPageTexts(headers["accept-language"]);
  const toHtmlReply = (body: string, status = 200, more: Record<string, string> = {}) =>
    rawReply({ type: "text/html; charset=utf-8", body, status, headers: { ...PAGE_HEADERS, ...more } });
  try {
    const { view, ticket } = await reading.read(asking);
    const isGiven = asking.password !== undefined && ticket !== "";
    const cookie = isGiven ? { "set-cookie": createTicketCookie(asking.publicId, ticket, origin) } : {};
    return toHtmlReply(await view.renderPage(at, texts, origin), 200, cookie);
  } catch (error) {
    if (!AppError.is(error)) throw error;
    if (error.code === "not_found") return toHtmlReply(renderGonePage(texts), 404);
    if (error.code === "unauthorized")
      return toHtmlReply(
        renderPasswordPage(texts, asking.password === undefined ? undefined : "wrong"),
        asking.password === undefined ? 200 : 401,
      );
    if (error.code === "rate_limited")
      return toHtmlReply(renderPasswordPage(texts, "tooMany"), 429, { "retry-after": String(error.retryAfterS ?? 60) });
    throw error;
  }
}

const TICKET_COOKIE = "parley_share";

/** Creates the cookie of a ticket, for this page alone. */
function createTicketCookie(publicId: string, ticket: string, origin: string): string {
  const secure = origin.startsWith("https:") ? "; Secure" : "";
  return `${TICKET_COOKIE}=${ticket}; Path=/public/${publicId}; Max-Age=${TICKET_SECONDS}; HttpOnly; SameSite=Lax${secure}`;
}

function readTicketCookie(cookies = ""): string | undefined {
  return new RegExp(`(?:^|;\\s*)${TICKET_COOKIE}=([^;\\s]+)`).exec(cookies)?.[1];
}

/** Decodes percent-encoded UTF-8; undefined where invalid. */
function decodePassword(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  try {
    return decodeURIComponent(header);
  } catch {
    return "";
  }
}

function getBaseUrl({ baseUrl }: RouteDeps, origin: string): string {
  return (baseUrl() || origin).replace(/\/+$/, "");
}

function toPublicationView(deps: RouteDeps, stored: StoredPublication, origin: string): Publication {
  const toIso = (ms: number) => new Date(ms).toISOString();
  return {
    is_public: true,
    public_id: stored.publicId,
    public_url: `${getBaseUrl(deps, origin)}/public/${stored.publicId}`,
    created_at: toIso(stored.createdMs),
    updated_at: toIso(stored.updatedMs),
    expires_at: toIso(stored.expiresMs),
    options: stored.options,
    password_required: stored.passwordHash !== null,
    view_count: stored.views,
  };
}
