import { Readable } from "node:stream";
import { type Message, type RawReply, rawReply, type Session, splitCommaList } from "@parley/core";
import { attachmentNamed } from "@parley/core/http";
import type { ExportAllQuery, ExportQuery } from "../schemas/transfer.ts";
import { assertNotTemporary, now, type SessionDeps } from "../session-deps.ts";
import { sessionsTexts } from "../texts.ts";

/** Type that the export files name. */
export const PACKAGE_TYPE = "svc_session_export";
const MAX_SESSIONS = 500;
const ENVELOPE = ['{"success":true,"data":', ',"message":""}'] as const;

/** Data of other plugins about a session, by part id. */
type PluginData = Readonly<Record<string, unknown>>;

/** Exports sessions as a stream, so that they are never all in memory. */
export interface SessionExporter {
  exportOne(idOrKey: string, query: ExportQuery): Promise<RawReply>;
  exportMany(query: ExportAllQuery): Promise<RawReply>;
}

export function createSessionExporter(deps: SessionDeps): SessionExporter {
  const { sessions, messages } = deps;
  async function* streamMessages(sessionId: string, place: "live" | "archive"): AsyncGenerator<string> {
    let comma = "";
    for await (const page of messages.streamPages(sessionId, place)) {
      yield comma + JSON.stringify(page).slice(1, -1);
      comma = ",";
    }
  }
  async function* streamSession(session: Session, withArchive: boolean, plugins: PluginData): AsyncGenerator<string> {
    const { running: _running, from_channel: _taken, ...fields } = session;
    yield `${JSON.stringify(fields).slice(0, -1)},"messages":[`;
    yield* streamMessages(fields.id, "live");
    yield '],"archived_messages":[';
    if (withArchive) yield* streamMessages(fields.id, "archive");
    const custom_prompt = (await sessions.customPrompt(fields.id)).content;
    const snapshot = await deps.characters()?.snapshotOf(session);
    const { state = null, relationship = null } = snapshot ?? {};
    const timeline = await deps.timeline.list(fields.id);
    const rest = { favorites: [], timeline, custom_prompt, state, relationship, plugins };
    yield `],${JSON.stringify(rest).slice(1)}`;
  }
  async function* streamPackage(
    ids: readonly string[],
    withArchive: boolean,
    pluginData?: PluginData,
  ): AsyncGenerator<string> {
    const missing: string[] = [];
    let total = 0;
    yield `{"version":1,"type":"${PACKAGE_TYPE}","exported_at":"${now(deps)}","sessions":[`;
    for (const id of ids) {
      const session = await sessions.find(id);
      if (!session || session.is_temporary) {
        missing.push(id);
        continue;
      }
      const plugins = pluginData ?? (await deps.lifecycle.exported(session.id));
      if (total > 0) yield ",";
      total += 1;
      yield* streamSession(session, withArchive, plugins);
    }
    yield `],${JSON.stringify({ total, ...(!pluginData && { missing }) }).slice(1)}`;
  }
  async function* streamMarkdown({ id, name }: Session): AsyncGenerator<string> {
    yield `# ${name}\n\n`;
    let separator = "";
    for await (const page of messages.streamPages(id, "live")) {
      for (const { role, sender, timestamp, content } of page.filter(isVisible)) {
        yield `${separator}**${sender || role}** · ${timestamp}\n\n${content}\n`;
        separator = "\n---\n\n";
      }
    }
  }

  return {
    async exportOne(idOrKey, { format, include_archive, download }) {
      const session = await sessions.get(idOrKey);
      assertNotTemporary(session);
      if (format === "json") {
        // The parts are exported before the response starts, so that a failure is an error and not a truncated file.
        const plugins = await deps.lifecycle.exported(session.id);
        return toPackageReply(streamPackage([session.id], include_archive, plugins), download, session.name);
      }
      return rawReply({
        body: toReadable(streamMarkdown(session)),
        type: "text/markdown; charset=utf-8",
        headers: { "content-disposition": attachmentNamed(`${session.name}.md`) },
      });
    },
    async exportMany({ ids, archived, include_archive, download }) {
      const requestedIds = ids === undefined ? undefined : splitCommaList(ids);
      if (requestedIds && requestedIds.length > MAX_SESSIONS)
        throw sessionsTexts.error("bad_request", "at_most", { most: MAX_SESSIONS }, { field: "ids" });
      const found = ids && requestedIds ? requestedIds : await sessions.listIds(archived);
      return toPackageReply(streamPackage(found, include_archive), download, "sessions");
    },
  };
}

function isVisible({ hidden, role }: Message): boolean {
  return !hidden && role !== "system";
}

function toPackageReply(text: AsyncGenerator<string>, download: boolean, name: string): RawReply {
  if (!download) return rawReply({ body: toReadable(withEnvelope(text)), type: "application/json", headers: NO_STORE });
  const headers = { ...NO_STORE, "content-disposition": attachmentNamed(`${name}.json`) };
  return rawReply({ body: toReadable(text), type: "application/json", headers });
}

const NO_STORE = { "cache-control": "no-store" };

async function* withEnvelope(text: AsyncGenerator<string>): AsyncGenerator<string> {
  yield ENVELOPE[0];
  yield* text;
  yield ENVELOPE[1];
}

function toReadable(text: AsyncGenerator<string>): Readable {
  return Readable.from(text, { objectMode: false });
}
