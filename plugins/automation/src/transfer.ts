import Joi from "@hapi/joi";
import type { Resource, ResourceRecords, StoredRecords, TransferSection } from "@parley/core";
import { diffFields, resourceSection } from "@parley/core/transfer";
import { toAuthorshipView } from "./authorship.ts";
import type { Heartbeat, HeartbeatRequest } from "./heartbeat/heartbeat.ts";
import type { HeartbeatFiles } from "./heartbeat/heartbeat-files.ts";
import { HEARTBEAT_DEFAULTS, type HeartbeatFields, heartbeatPatch } from "./heartbeat/heartbeat-schema.ts";

const NAME = { en: "Heartbeat", zh: "心跳" };
const text = Joi.object({ content: Joi.string().allow("").max(100_000) });

interface HeartbeatExport extends HeartbeatFields {
  readonly content: string;
}

/** Creates a section whose records are imported disabled, so that nothing starts before it was reviewed. */
export function createDisabledSection<Fields extends { readonly name: string; readonly enabled: boolean }>(
  id: string,
  resource: Resource<Fields>,
  records: () => ResourceRecords<Fields>,
  stored: () => StoredRecords<Fields>,
): TransferSection {
  const plain: ResourceRecords<Fields> = {
    page: (query) => stored().page(query),
    get: (one) => stored().get(one),
    create: (draft, request) => records().create(draft, request),
    change: (one, patch, request) => records().change(one, patch, request),
    remove: (one, request) => records().remove(one, request),
  };
  return resourceSection(
    { id, title: resource.title.many },
    resource,
    () => plain,
    (item, there) => ({ ...item, enabled: there?.enabled ?? false }),
  );
}

/** Creates the section of the heartbeat with its text. */
export function createHeartbeatSection(heartbeat: Heartbeat, texts: HeartbeatFiles): TransferSection {
  const current = async (): Promise<HeartbeatExport> => {
    const {
      id: _id,
      created_at: _created,
      updated_at: _updated,
      revision: _revision,
      changed_by: _by,
      may_speak: _may,
      ...fields
    } = await heartbeat.get();
    return { ...fields, content: (await texts.read(fields.content_file)).content };
  };
  /** Returns the current and the merged heartbeat. Mode `skip` replaces only values that are defaults. */
  const resolveNext = async (part: HeartbeatExport, mode: string) => {
    const there = await current();
    const next = mergeIncoming(part, there);
    if (mode === "overwrite") return { there, next };
    const { exists } = await texts.read(there.content_file);
    const begun = { ...HEARTBEAT_DEFAULTS, content: exists ? "" : there.content };
    const set = Object.entries(there).filter(([key]) => diffFields(begun, there).includes(key));
    return { there, next: { ...next, ...Object.fromEntries(set) } };
  };
  const mergeIncoming = (part: HeartbeatExport, there: HeartbeatExport): HeartbeatExport => ({
    ...there,
    ...part,
    enabled: there.enabled,
    // Conversations of the other installation do not exist here.
    target_session_id: there.target_session_id,
    targets: there.targets,
  });
  const section: TransferSection<HeartbeatExport> = {
    id: "heartbeat",
    title: NAME,
    schema: heartbeatPatch.concat(text) as never,
    export: current,
    async plan(part, { mode }) {
      const { there, next } = await resolveNext(part, mode);
      const changed = diffFields(there, next);
      const action = changed.length > 0 ? "update" : "skip";
      return { items: [{ id: "heartbeat", name: NAME.en, action, changed_fields: changed }], variables: [] };
    },
    async apply(part, { items }, { caller, mode }) {
      const isWanted = items.some(({ action }) => action === "update");
      const { there: before, next } = await resolveNext(part, mode);
      const order = toAuthorshipView(await heartbeat.get());
      const write = async ({ content, ...fields }: HeartbeatExport, request: HeartbeatRequest) => {
        await texts.write(fields.content_file, content, undefined);
        await heartbeat.change(fields, request);
      };
      return {
        async run() {
          if (isWanted) await write(next, { caller });
          return [];
        },
        async undo() {
          if (isWanted) await write(before, { order });
        },
      };
    },
  };
  return section as unknown as TransferSection;
}
