import { createHash } from "node:crypto";
import { type GrantScope, type RawReply, rawReply } from "@parley/core";
import { escapeHtml } from "@parley/core/http";
import { isLoopback } from "./redirect-uri.ts";
import type { PageTexts } from "./texts.ts";

const STYLE = `:root{color-scheme:light dark;--bg:#f6f7f9;--card:#fff;--fg:#1b1c1f;--dim:#5c626b;--line:#d9dce1;--link:#1c5fd4;--wrong:#b3261e}
@media(prefers-color-scheme:dark){:root{--bg:#15171a;--card:#1d2024;--fg:#e8e9eb;--dim:#a0a6af;--line:#363b42;--link:#8ab4ff;--wrong:#ff8a80}}
*{box-sizing:border-box}body{margin:0;background:var(--bg);color:var(--fg);font:16px/1.5 system-ui,sans-serif}
main{max-width:30rem;margin:8vh auto;padding:1.5rem;background:var(--card);border:1px solid var(--line);border-radius:.75rem;overflow-wrap:anywhere}
h1{font-size:1.25rem;margin:0 0 1rem}.dim{color:var(--dim);font-size:.875rem}.wrong{color:var(--wrong)}
form{display:grid;gap:.75rem}fieldset{border:0;padding:0;margin:0;display:grid;gap:.5rem}legend{padding:0;margin-bottom:.5rem;font-weight:600}
label.choice{display:flex;gap:.5rem;align-items:baseline}input:not([type=radio]),button{font:inherit;padding:.5rem .75rem;border-radius:.5rem;border:1px solid var(--line);background:var(--card);color:var(--fg)}
button{cursor:pointer}button.go{background:var(--link);color:var(--card);border-color:transparent}a{color:var(--link)}`;
const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");

/** Fields of the request as passed on in the forms. */
export type Fields = Readonly<Record<string, string | undefined>>;

export interface PageOptions {
  readonly status?: number;
  /** Other origin that the form's answer may redirect to. */
  readonly redirectOrigin?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export function renderSignInPage(
  texts: PageTexts,
  fields: Fields,
  problem?: "wrong" | "tooMany",
  options?: PageOptions,
): RawReply {
  return renderPage(
    texts,
    texts.signIn,
    `<p>${texts.signInFirst}</p>${problem ? `<p class="wrong" role="alert">${texts[problem]}</p>` : ""}
<form method="post" action="/authorize/sign-in">${renderHiddenFields(fields)}
<label for="username">${texts.username}</label><input id="username" name="username" maxlength="64" required autofocus autocomplete="username">
<label for="password">${texts.password}</label><input id="password" name="password" type="password" maxlength="256" required autocomplete="current-password">
<button class="go">${texts.signIn}</button></form>`,
    options,
  );
}

export interface ConsentView {
  readonly clientName: string;
  readonly redirectUri: string;
  readonly username: string;
  /** Requested and available scopes, narrowest first. */
  readonly scopes: readonly GrantScope[];
  /** Preselected scope. */
  readonly chosen: GrantScope | undefined;
  readonly fields: Fields;
}

/** Renders the consent page. Text from the client is only shown, escaped. */
export function renderConsentPage(texts: PageTexts, view: ConsentView): RawReply {
  const { clientName, redirectUri, username, scopes, chosen, fields } = view;
  const url = new URL(redirectUri);
  const place = isLoopback(url) ? `${texts.thisMachine} (${escapeHtml(url.host)})` : `<b>${escapeHtml(url.host)}</b>`;
  const choice = (scope: GrantScope) =>
    `<label class="choice"><input type="radio" name="level" value="${scope}"${scope === chosen ? " checked" : ""}><span>${texts[`scope_${scope}`]}</span></label>`;
  return renderPage(
    texts,
    texts.title,
    `<p>${texts.asks} <b><bdi>${escapeHtml(clientName)}</bdi></b> ${texts.asksOf}</p><p class="dim">${texts.unchecked}</p>
<form method="post" action="/authorize">${renderHiddenFields(fields)}<fieldset><legend>${texts.may}</legend>${scopes.map(choice).join("")}</fieldset>
<p class="dim">${texts.goesTo} ${place}. ${texts.as} ${escapeHtml(username)}.</p>
<button class="go" name="decision" value="allow">${texts.allow}</button><button name="decision" value="deny">${texts.deny}</button></form>
<p class="dim">${texts.takeBack}</p>`,
    // Browsers apply `form-action` to redirects too, and do not support IPv6 addresses there.
    { redirectOrigin: url.hostname.startsWith("[") ? "http:" : url.origin },
  );
}

export interface ProblemView {
  readonly text: string;
  readonly detail?: string;
  /** Address registered by the client; never followed automatically. */
  readonly back?: string;
}

export function renderProblemPage(texts: PageTexts, { text, detail, back }: ProblemView, status = 400): RawReply {
  const link = back === undefined ? "" : `<p><a href="${escapeHtml(back)}" rel="noreferrer">${texts.back}</a></p>`;
  return renderPage(
    texts,
    texts.cannot,
    `<p class="wrong" role="alert">${escapeHtml(text)}${detail === undefined ? "" : `: <code>${escapeHtml(detail)}</code>`}</p>${link}`,
    { status },
  );
}

function renderPage(texts: PageTexts, title: string, body: string, options: PageOptions = {}): RawReply {
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${STYLE_HASH}'`,
    `form-action 'self'${options.redirectOrigin === undefined ? "" : ` ${options.redirectOrigin}`}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return rawReply({
    type: "text/html; charset=utf-8",
    status: options.status ?? 200,
    headers: {
      "content-security-policy": policy.join("; "),
      "x-frame-options": "DENY",
      "cache-control": "no-store",
      // Without this policy, a browser does not send the origin of the form.
      "referrer-policy": "same-origin",
      ...options.headers,
    },
    body: `<!doctype html><html lang="${texts.lang}"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex,nofollow">
<style>${STYLE}</style></head><body><main><h1>${title}</h1>${body}</main></body></html>`,
  });
}

function renderHiddenFields(fields: Fields): string {
  return Object.entries(fields)
    .filter((entry): entry is [string, string] => entry[1] !== undefined)
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`)
    .join("");
}
