import type { Schema } from "@hapi/joi";
import type { Route } from "@parley/core";
import { jsonSchemaOf } from "@parley/core";
import { escapeHtml } from "@parley/core/http";
import { toDefaultScope } from "../request/authentication.ts";
import { toGroupName } from "./describe-api.ts";

const STYLE = `
body { font: 15px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 1.5rem; color-scheme: light dark }
nav { columns: 4 9rem; margin: 1rem 0 } code { font: 13px ui-monospace, monospace }
section { margin-top: 2.5rem } details { border-top: 1px solid #8884; padding: .4rem 0 } summary { cursor: pointer }
.method { display: inline-block; width: 4.5rem; font-weight: 600 } .note { opacity: .7 } td { padding: .1rem 1rem .1rem 0; vertical-align: top }`;

/** Renders the routes as one page without scripts, grouped, each with its fields. */
export function renderDocsPage(routes: readonly Route[]): string {
  const groups = Map.groupBy(routes, ({ path }) => toGroupName(path));
  const names = [...groups.keys()].sort();
  const links = names.map((name) => `<a href="#${escapeHtml(name)}">${escapeHtml(name)}</a>`).join("<br>");
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Parley: the REST interface</title><style>${STYLE}</style></head><body>
<h1>The REST interface</h1>
<p>Send <code>Authorization: Bearer &lt;token or API key&gt;</code>. Answers are
<code>{"success": true, "data": …, "message": ""}</code> or <code>{"success": false, "error": …, "code": …}</code>.
For programs: <a href="/api/openapi.json">openapi.json</a>.</p><nav>${links}</nav>
${names.map((name) => renderGroup(name, groups.get(name) ?? [])).join("\n")}</body></html>`;
}

function renderGroup(name: string, routes: readonly Route[]): string {
  return `<section id="${escapeHtml(name)}"><h2>${escapeHtml(name)}</h2>${routes.map(renderRoute).join("")}</section>`;
}

function renderRoute(route: Route): string {
  const access = route.auth === "open" ? "no login" : `scope ${route.scope ?? toDefaultScope(route.method)}`;
  return `<details><summary><span class="method">${route.method}</span><code>${escapeHtml(route.path)}</code>
<span class="note">${escapeHtml(route.summary)} · ${access}</span></summary>
${renderFields("Query", route.query)}${renderFields("Body", route.body)}${route.reply === "raw" ? renderContentTypes(route.data) : renderFields("Data", route.data as Schema)}</details>`;
}

function renderContentTypes(data: Route["data"]): string {
  return `<p>Sends ${Object.keys(data)
    .map((kind) => `<code>${escapeHtml(kind)}</code>`)
    .join(" or ")}</p>`;
}

interface DescribedSchema {
  readonly properties?: Readonly<
    Record<
      string,
      { readonly type?: string; readonly enum?: unknown[]; readonly description?: string; readonly default?: unknown }
    >
  >;
  readonly required?: readonly string[];
}

function renderFields(title: string, schema: Schema | undefined): string {
  if (!schema) return "";
  const { properties = {}, required = [] } = jsonSchemaOf(schema) as DescribedSchema;
  const lines = Object.entries(properties).map(([name, field]) => {
    const kind = field.enum ? field.enum.join(", ") : (field.type ?? "any");
    const notes = [
      required.includes(name) ? "required" : "",
      field.default === undefined ? "" : `default ${JSON.stringify(field.default)}`,
      field.description ?? "",
    ];
    return `<tr><td><code>${escapeHtml(name)}</code></td><td>${escapeHtml(String(kind))}</td><td>${escapeHtml(notes.filter(Boolean).join("; "))}</td></tr>`;
  });
  return lines.length === 0 ? "" : `<p>${title}</p><table>${lines.join("")}</table>`;
}
