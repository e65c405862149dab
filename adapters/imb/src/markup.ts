const TOKENS =
  /```([^\n`]*)\n([\s\S]*?)(?:\n?```|$)|`([^`\n]+)`|\*\*([^*\n]+)\*\*|\[([^\]\n]+)\]\((https?:\/\/[^)\s]+)\)|^#{1,6} +(.+)$/gm;

/** Whether a text has markup that the platform can show. */
export function hasMarkup(text: string): boolean {
  return text.search(TOKENS) >= 0;
}

/** Markdown as the platform's HTML: code, bold, links and headings; everything else is text. */
export function htmlOf(text: string): string {
  let html = "";
  let at = 0;
  for (const match of text.matchAll(TOKENS)) {
    const [whole, language, block, code, bold, label, address, heading] = match;
    html += escaped(text.slice(at, match.index));
    at = match.index + whole.length;
    if (block !== undefined) html += blockOf(block, language?.trim() ?? "");
    else if (code !== undefined) html += `<code>${escaped(code)}</code>`;
    else if (address !== undefined) html += `<a href="${escaped(address)}">${escaped(label ?? "")}</a>`;
    else html += `<b>${escaped(bold ?? heading ?? "")}</b>`;
  }
  return html + escaped(text.slice(at));
}

function blockOf(code: string, language: string): string {
  if (!/^[\w+#.-]+$/.test(language)) return `<pre>${escaped(code)}</pre>`;
  return `<pre><code class="language-${language}">${escaped(code)}</code></pre>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
