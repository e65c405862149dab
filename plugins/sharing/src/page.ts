import { createHash } from "node:crypto";
import { escapeHtml } from "@parley/core/http";
import MarkdownIt from "markdown-it";
import type { PageTexts } from "./page-texts.ts";
import type { PagedMessage } from "./pages.ts";
import type { SharedFile, SharedSession } from "./schema.ts";

/** Maximum length of a text that is rendered as Markdown; a longer one is shown as plain text. */
const MARKDOWN_CHARS = 32_000;
const TITLE_CHARS = 200;

const STYLE = `:root{color-scheme:light dark;--bg:#fff;--fg:#1b1c1f;--dim:#5c626b;--line:#e3e5e8;--mine:#eef4ff;--link:#1c5fd4}
@media(prefers-color-scheme:dark){:root{--bg:#15171a;--fg:#e8e9eb;--dim:#a0a6af;--line:#2d3136;--mine:#1d2735;--link:#8ab4ff}}
*{box-sizing:border-box}body{margin:0;background:var(--bg);color:var(--fg);font:16px/1.6 system-ui,sans-serif}
main{max-width:46rem;margin:0 auto;padding:1.5rem 1rem 4rem}a{color:var(--link)}h1{font-size:1.5rem;line-height:1.3;margin:0}
header{display:flex;gap:1rem;align-items:center;border-bottom:1px solid var(--line);padding-bottom:1rem;margin-bottom:1rem}
header img{width:4rem;height:4rem;border-radius:50%;object-fit:cover}.dim{color:var(--dim);font-size:.875rem;margin:.25rem 0}
article{padding:.75rem 1rem;margin:.75rem 0;border-radius:.75rem;overflow-wrap:anywhere}article.user{background:var(--mine)}
article>b{display:block;font-size:.875rem}article time{color:var(--dim);font-weight:400;margin-inline-start:.5rem}
article p{margin:.5rem 0}.plain{white-space:pre-wrap}pre{overflow-x:auto;background:rgba(127,127,127,.12);padding:.75rem;border-radius:.5rem}
table{border-collapse:collapse;display:block;overflow-x:auto}td,th{border:1px solid var(--line);padding:.25rem .5rem}
blockquote{margin:.5rem 0;padding-inline-start:.75rem;border-inline-start:3px solid var(--line);color:var(--dim)}
article img,article video{max-width:100%;border-radius:.5rem;display:block;margin:.5rem 0}nav{display:flex;justify-content:space-between;margin:1.5rem 0}
form{display:grid;gap:.75rem;max-width:22rem}input,button{font:inherit;padding:.5rem .75rem;border-radius:.5rem;border:1px solid var(--line);background:var(--bg);color:var(--fg)}
button{background:var(--link);color:var(--bg);border:0;cursor:pointer}.wrong{color:#c62828}`;

/** Headers of a page without scripts and external resources. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": [
    "default-src 'none'",
    `style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`,
    "img-src 'self'",
    "media-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "x-robots-tag": "noindex, nofollow",
  "cache-control": "no-store",
};

const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true });
// A picture on another server would reveal the reader to it, so it becomes a link.
markdown.renderer.rules.image = (tokens, index) => {
  const token = tokens[index];
  const url = String(token?.attrGet("src") ?? "");
  return `<a href="${escapeHtml(url)}" rel="noopener nofollow">${escapeHtml(token?.content || url)}</a>`;
};
const renderPlainLink = markdown.renderer.rules.link_open;
markdown.renderer.rules.link_open = (tokens, index, options, env, self) => {
  tokens[index]?.attrSet("rel", "noopener nofollow");
  return renderPlainLink
    ? renderPlainLink(tokens, index, options, env, self)
    : self.renderToken(tokens, index, options);
};

export interface PageOptions {
  readonly texts: PageTexts;
  /** Page number from 1. */
  readonly page: number;
  readonly pageCount: number;
  readonly origin: string;
}

/** Rendered HTML of a page's content. */
export interface RenderedContent {
  readonly scenario: string;
  readonly messages: string;
}

/** Renders a page of a publication, which needs no script. */
export function renderConversationPage(
  shared: Omit<SharedSession, "scenario">,
  { scenario, messages }: RenderedContent,
  { texts, page, pageCount, origin }: PageOptions,
): string {
  const { name, sender_name, sender_portrait, sender_avatar } = shared;
  const picture = sender_portrait || sender_avatar;
  const title = (sender_name === "" ? name : `${name} · ${sender_name}`).slice(0, TITLE_CHARS);
  const first = shared.messages.find(({ content }) => content !== "")?.content ?? "";
  return renderDocument({
    texts,
    title,
    meta: [
      ["og:title", title],
      ["og:type", "article"],
      ["og:site_name", texts.shared],
      ["og:description", first.slice(0, 1_000).replaceAll(/\s+/g, " ").slice(0, 200)],
      ...(picture === "" ? [] : [["og:image", origin + picture] as const]),
    ],
    body: `<header>${picture === "" ? "" : `<img src="${escapeHtml(picture)}" alt="">`}<div><h1>${escapeHtml(title)}</h1>
<p class="dim">${texts.published} ${renderTime(shared.published_at)} · ${texts.until} ${renderTime(shared.expires_at)}</p></div></header>
${scenario === "" ? "" : `<details><summary>${texts.scenario}</summary>${scenario}</details>`}
${page > 1 ? renderNav(texts, page, pageCount) : ""}${messages}${renderNav(texts, page, pageCount)}`,
  });
}

/** Renders the messages of one page. */
export function renderMessages(
  messages: readonly PagedMessage[],
  shared: Pick<SharedSession, "sender_name">,
  texts: PageTexts,
): string {
  return messages.map((message) => renderMessage(message, shared, texts)).join("");
}

/** Renders Markdown; a text that is too long is shown as plain text. */
export function renderText(text: string, isPlain = text.length > MARKDOWN_CHARS): string {
  if (text === "") return "";
  return isPlain ? `<div class="plain">${escapeHtml(text)}</div>` : markdown.render(text);
}

/** Renders the password form without any detail of the publication. */
export function renderPasswordPage(texts: PageTexts, problem?: "wrong" | "tooMany"): string {
  return renderDocument({
    texts,
    title: texts.shared,
    meta: [],
    body: `<h1>${texts.shared}</h1><p>${texts.locked}</p>${problem ? `<p class="wrong" role="alert">${texts[problem]}</p>` : ""}
<form method="post"><label for="password">${texts.password}</label><input id="password" name="password" type="password" maxlength="128" required autofocus autocomplete="off">
<button>${texts.open}</button></form>`,
  });
}

export function renderGonePage(texts: PageTexts): string {
  return renderDocument({ texts, title: texts.gone, meta: [], body: `<h1>${texts.gone}</h1><p>${texts.goneText}</p>` });
}

interface DocumentOptions {
  readonly texts: PageTexts;
  readonly title: string;
  readonly meta: readonly (readonly [property: string, content: string])[];
  readonly body: string;
}

function renderDocument({ texts, title, meta, body }: DocumentOptions): string {
  const tags = meta.map(([property, content]) => `<meta property="${property}" content="${escapeHtml(content)}">`);
  return `<!doctype html><html lang="${texts.lang}"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title>
<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex,nofollow">
<meta name="referrer" content="no-referrer">${tags.join("")}<style>${STYLE}</style></head><body><main>${body}</main></body></html>`;
}

function renderMessage(
  { id, role, sender, timestamp, content, attachments, isPlain }: PagedMessage,
  shared: Pick<SharedSession, "sender_name">,
  texts: PageTexts,
): string {
  const name = sender || (role === "user" ? texts.you : shared.sender_name || texts.assistant);
  return `<article class="${role}" id="m${id}"><b>${escapeHtml(name)}${renderTime(timestamp)}</b><div dir="auto">${renderText(content, isPlain)}</div>${attachments.map(renderFile).join("")}</article>
`;
}

function renderFile({ type, name, url }: SharedFile): string {
  if (url === "") return `<p class="dim">${escapeHtml(name)}</p>`;
  if (type === "image" || type === "sticker")
    return `<img src="${escapeHtml(url)}" alt="${escapeHtml(name)}" loading="lazy">`;
  if (type === "audio" || type === "video")
    return `<${type} src="${escapeHtml(url)}" controls preload="none"></${type}>`;
  return `<p><a href="${escapeHtml(url)}" download="${escapeHtml(name)}">${escapeHtml(name || "file")}</a></p>`;
}

function renderNav(texts: PageTexts, at: number, pages: number): string {
  if (pages < 2) return "";
  const earlier = at > 1 ? `<a href="?page=${at - 1}" rel="prev">← ${texts.earlier}</a>` : "<span></span>";
  const later = at < pages ? `<a href="?page=${at + 1}" rel="next">${texts.later} →</a>` : "<span></span>";
  return `<nav>${earlier}<span class="dim">${at} / ${pages}</span>${later}</nav>`;
}

function renderTime(iso: string): string {
  return `<time datetime="${escapeHtml(iso)}">${escapeHtml(iso.slice(0, 16).replace("T", " "))} UTC</time>`;
}
