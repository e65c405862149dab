import type { Page } from "playwright-core";

/** Texts without a language: code, keys, user content and log lines. */
const IGNORED_SELECTOR =
  "code, pre, kbd, svg, textarea, select, .log_log, .message_bubble, .common_mono, [data-testid=message], [translate=no]";
/** Names, and words of the field that Chinese readers use as they are. */
const KNOWN_WORDS = new Set(
  `AI API APP App Bot CHARX CSV Charx ChatGPT Chrome Claude Cookie Cron DOCX Discord English Escape FAQ Feishu GIF Git GitHub
  HMAC HTML HTTP HTTPS Header ID IDs IP JPEG JPG JSON JavaScript Lark LibreOffice Linux Lorebook OTLP OpenTelemetry Push SearXNG GDELT Schema MCP MD Markdown MiB Mermaid
  Mira Node OAuth OneBot OpenAI PDF PNG PPTX PWA Parley PostgreSQL Prometheus RSS Rosemary SQL SQLite SSE SVG TLS TOKEN TXT
  Telegram Token URL UTC UTF WAV Web WebP WebSocket Webhook Wikipedia Windows XLSX ZIP admin backup bot bubblewrap cron http https json kitchen
  parley npm npx stdio token tokens uvx web webhook worse dry Plum imA imAbot imB imC CNY EUR USD`.split(/\s+/),
);

/**
 * Words on the page, or in a part of it, in another language than its reader's: for who reads Chinese of three Latin letters or
 * more, for who reads English any Chinese sign. `own` is what people wrote there.
 */
export async function findUntranslatedWords(
  page: Page,
  language: "en" | "zh",
  own: RegExp,
  within = "body",
): Promise<string[]> {
  const texts = await page.evaluate<string[]>(`(() => {
    const found = [];
    for (const root of document.querySelectorAll(${JSON.stringify(within)})) {
      const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      while (walk.nextNode()) {
        const at = walk.currentNode.parentElement;
        if (at && !at.closest(${JSON.stringify(IGNORED_SELECTOR)}) && at.checkVisibility()) found.push(walk.currentNode.data.trim());
      }
    }
    return found;
  })()`);
  const strange = language === "en" ? /\p{Script=Han}/u : /(?<![\w./@:%-])[A-Za-z]{3,}(?![\w/@:%-]|\.\w)/gu;
  return [...new Set(texts)].filter((text) => {
    if (own.test(text)) return false;
    const words = text.replaceAll(/\{\{.*?\}\}|`[^`]*`|\w+\[\d+\][\w.]*/g, "").match(strange) ?? [];
    return words.some((word) => !KNOWN_WORDS.has(word));
  });
}
