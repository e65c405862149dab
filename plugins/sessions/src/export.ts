import { Readable } from "node:stream";
import { attachmentNamed, commaSeparated, type Message, type RawReply, rawReply, type Session } from "@parley/core";
import { now, refuseTemporary, type SessionParts } from "./parts.ts";
import { sessionFailure } from "./said-failures.ts";
import type { ExportAllQuery, ExportQuery } from "./schemas/transfer.ts";

const TYPE = "svc_session_export";
const MAX_IDS = 500;
const ENVELOPE = ['{"success":true,"data":', ',"message":""}'] as const;

/** What other plugins keep of a session, by the names of their parts. */
type Belongings = Readonly<Record<string, unknown>>;

/** Sessions out of the service, written as they are read: however many, they are never all in memory. */
export interface Export {
  one(idOrKey: string, query: ExportQuery): Promise<RawReply>;
  all(query: ExportAllQuery): Promise<RawReply>;
}

export function createExport(parts: SessionParts): Export {
  const { sessions, messages } = parts;
  async function* listed(sessionId: string, place: "live" | "archive"): AsyncGenerator<string> {
    let comma = "";
    for await (const page of messages.pages(sessionId, place)) {
      yield comma + JSON.stringify(page).slice(1, -1);
      comma = ",";
    }
  }
  async function* sessionText(session: Session, withArchive: boolean, plugins: Belongings): AsyncGenerator<string> {
    const { running: _running, from_channel: _taken, ...fields } = session;
    yield `${JSON.stringify(fields).slice(0, -1)},"messages":[`;
    yield* listed(fields.id, "live");
    yield '],"archived_messages":[';
    if (withArchive) yield* listed(fields.id, "archive");
    const custom_prompt = (await sessions.customPrompt(fields.id)).content;
    const snapshot = await parts.characters()?.snapshotOf(session);
    const { state = null, relationship = null } = snapshot ?? {};
    const timeline = await parts.timeline.all(fields.id);
    const rest = { favorites: [], timeline, custom_prompt, state, relationship, plugins };
    yield `],${JSON.stringify(rest).slice(1)}`;
  }
  async function* packageText(
    ids: readonly string[],
    withArchive: boolean,
    known?: Belongings,
  ): AsyncGenerator<string> {
    const missing: string[] = [];
    let total = 0;
    yield `{"version":1,"type":"${TYPE}","exported_at":"${now(parts)}","sessions":[`;
    for (const id of ids) {
      const session = await sessions.find(id);
      if (!session || session.is_temporary) {
        missing.push(id);
        continue;
      }
      const plugins = known ?? (await parts.belongings.exported(session.id));
      if (total > 0) yield ",";
      total += 1;
      yield* sessionText(session, withArchive, plugins);
    }
    yield `],${JSON.stringify({ total, ...(!known && { missing }) }).slice(1)}`;
  }
  async function* markdown({ id, name }: Session): AsyncGenerator<string> {
    yield `# ${name}\n\n`;
    let rule = "";
    for await (const page of messages.pages(id, "live")) {
      for (const { role, sender, timestamp, content } of page.filter(isShown)) {
        yield `${rule}**${sender || role}** · ${timestamp}\n\n${content}\n`;
        rule = "\n---\n\n";
      }
    }
  }

  return {
    async one(idOrKey, { format, include_archive, download }) {
      const session = await sessions.get(idOrKey);
      refuseTemporary(session);
      if (format === "json") {
        // Before the answer begins: a part that fails is an error, not a file that breaks off.
        const plugins = await parts.belongings.exported(session.id);
        return packaged(packageText([session.id], include_archive, plugins), download, session.name);
      }
      return rawReply({
        body: bytesOf(markdown(session)),
        type: "text/markdown; charset=utf-8",
        headers: { "content-disposition": attachmentNamed(`${session.name}.md`) },
      });
    },
    async all({ ids, archived, include_archive, download }) {
      const wanted = ids === undefined ? undefined : commaSeparated(ids);
      if (wanted && wanted.length > MAX_IDS)
        throw sessionFailure("bad_request", "at_most", { most: MAX_IDS }, { field: "ids" });
      const found = ids && wanted ? wanted : await sessions.ids(archived);
      return packaged(packageText(found, include_archive), download, "sessions");
    },
  };
}

function isShown({ hidden, role }: Message): boolean {
  return !hidden && role !== "system";
}

function packaged(text: AsyncGenerator<string>, download: boolean, name: string): RawReply {
  if (!download) return rawReply({ body: bytesOf(enveloped(text)), type: "application/json", headers: NOT_KEPT });
  const headers = { ...NOT_KEPT, "content-disposition": attachmentNamed(`${name}.json`) };
  return rawReply({ body: bytesOf(text), type: "application/json", headers });
}

const NOT_KEPT = { "cache-control": "no-store" };

async function* enveloped(text: AsyncGenerator<string>): AsyncGenerator<string> {
  yield ENVELOPE[0];
  yield* text;
  yield ENVELOPE[1];
}

function bytesOf(text: AsyncGenerator<string>): Readable {
  return Readable.from(text, { objectMode: false });
}
