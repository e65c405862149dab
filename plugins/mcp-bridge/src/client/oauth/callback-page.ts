import { createHash } from "node:crypto";
import { type AppError, acceptedLanguage, inLanguage, type RawReply, rawReply } from "@parley/core";
import { escapeHtml } from "@parley/core/http";
import { mcpBridgeTexts } from "../../texts.ts";
import { sanitizeText } from "../tools/sanitize-text.ts";

const STYLE =
  ":root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:30rem;margin:8vh auto;padding:1.5rem;overflow-wrap:anywhere}h1{font-size:1.25rem}";
const POLICY = `default-src 'none'; style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'; base-uri 'none'; frame-ancestors 'none'`;

export function renderSuccessPage(language: string | undefined): RawReply {
  return renderPage(language, "page_done", "", 200);
}

/** Renders the page of a failed sign-in; the other server's message is only text. */
export function renderFailurePage(language: string | undefined, error: AppError): RawReply {
  const status = error.code === "permission_denied" || error.code === "bad_request" ? 400 : 502;
  return renderPage(language, "page_failed", sanitizeText(error.message, 500), status);
}

function renderPage(
  language: string | undefined,
  heading: "page_done" | "page_failed",
  reason: string,
  status: number,
): RawReply {
  const lang = acceptedLanguage(language);
  const title = inLanguage(mcpBridgeTexts.localized(heading), lang);
  const reasonHtml = reason === "" ? "" : `<p role="alert">${escapeHtml(reason)}</p>`;
  return rawReply({
    type: "text/html; charset=utf-8",
    status,
    // The address contains data from the browser.
    headers: { "content-security-policy": POLICY, "cache-control": "no-store", "referrer-policy": "no-referrer" },
    body: `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex,nofollow">
<style>${STYLE}</style></head><body><main><h1>${title}</h1>${reasonHtml}<p>${inLanguage(mcpBridgeTexts.localized("page_close"), lang)}</p></main></body></html>`,
  });
}
