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
    (item, existing) => ({ ...item, enabled: existing?.enabled ?? false }),
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
    const existing = await current();
    const next = mergeIncoming(part, existing);
    if (mode === "overwrite") return { existing, next };
    const { exists } = await texts.read(existing.content_file);
    const begun = { ...HEARTBEAT_DEFAULTS, content: exists ? "" : existing.content };
    const set = Object.entries(existing).filter(([key]) => diffFields(begun, existing).includes(key));
    return { existing, next: { ...next, ...Object.fromEntries(set) } };
  };
  const mergeIncoming = (part: HeartbeatExport, existing: HeartbeatExport): HeartbeatExport => ({
    ...existing,
    ...part,
    enabled: existing.enabled,
    // Conversations of the other installation do not exist here.
    target_session_id: existing.target_session_id,
    targets: existing.targets,
  });
  const section: TransferSection<HeartbeatExport> = {
    id: "heartbeat",
    title: NAME,
    schema: heartbeatPatch.concat(text) as never,
    export: current,
    async plan(part, { mode }) {
      const { existing, next } = await resolveNext(part, mode);
      const changed = diffFields(existing, next);
      const action = changed.length > 0 ? "update" : "skip";
      return { items: [{ id: "heartbeat", name: NAME.en, action, changed_fields: changed }], variables: [] };
    },
    async apply(part, { items }, { caller, mode }) {
      const isWanted = items.some(({ action }) => action === "update");
      const { existing: before, next } = await resolveNext(part, mode);
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
