import Joi from "@hapi/joi";
import {
  type Attachment,
  attachmentTypeOf,
  BY_SERVICE,
  type DocumentTexts,
  type Files,
  type Gateway,
  notFound,
  type Session,
  type Sessions,
  type Tool,
  type ToolContext,
  textOf,
  tool,
  toPlatformConversation,
  type WorkspaceArea,
  workspaceFileUrl,
} from "@parley/core";
import { decodeUtf8 } from "@parley/core/http";
import { createPreview, toPreviewedWorkspaceFile } from "../preview.ts";
import { filesTexts } from "../texts.ts";
import type { WorkspaceStore } from "./workspaces.ts";

const MAX_CHARS = 50_000;
const MAX_EDIT_BYTES = 1024 * 1024;

interface FileRef {
  readonly filename: string;
  readonly scope: "private" | "shared";
}

const fileRef = {
  filename: Joi.string().max(1_000).required().description("A path in the workspace, such as notes/plan.md"),
  scope: Joi.valid("private", "shared")
    .default("private")
    .description("private: of this conversation; shared: of all conversations"),
};
const content = textOf(1_000_000).allow("").required();

export interface WorkspaceToolsDeps {
  readonly workspaces: WorkspaceStore;
  readonly sessions: () => Sessions | undefined;
  readonly gateway: () => Pick<Gateway, "deliver">;
  readonly documents: () => DocumentTexts | undefined;
  readonly files: Pick<Files, "keep">;
}

/** Creates the tools with which models use the files of the calling conversation, and the shared files. */
export function createWorkspaceTools(deps: WorkspaceToolsDeps): readonly Tool[] {
  const { workspaces, sessions, gateway, documents, files } = deps;
  const row = { scope: "gateway.read", audience: ["ai"], group: "files" } as const;
  const reads = { ...row, risk: "read" } as const;
  const acts = { ...row, risk: "action" } as const;
  const textIn = async (asked: FileRef, context: ToolContext, types: readonly string[]) => {
    await using file = await workspaces.open(toArea(asked, context), asked.filename);
    const options = { maxChars: MAX_CHARS, documents: documents(), signal: context.signal };
    const preview = (await createPreview(toPreviewedWorkspaceFile(file), options)) as Readonly<Record<string, unknown>>;
    if (!types.includes(String(preview.type))) {
      throw filesTexts.error("bad_request", "not_readable", {
        filename: asked.filename,
        mime_type: file.item.mime_type,
      });
    }
    return { path: file.item.path, content: preview.content, truncated: preview.truncated };
  };
  return [
    tool<FileRef & { readonly content: string; readonly overwrite: boolean }>({
      ...acts,
      name: "workspace_create_file",
      help: { en: "Creates a text file in the workspace.", zh: "在工作区中新建文本文件。" },
      purpose:
        "Writes a text into a new file of the workspace; folders of its path are made. Replaces one only with overwrite.",
      args: Joi.object({ ...fileRef, content, overwrite: Joi.boolean().default(false) }),
      run: ({ content: text, overwrite, ...asked }, context) =>
        workspaces.write(toArea(asked, context), asked.filename, Buffer.from(text), {
          clash: overwrite ? "replace" : "refuse",
          signal: context.signal,
          by: toDoer(context),
        }),
    }),
    tool<FileRef>({
      ...reads,
      name: "workspace_read_file",
      help: { en: "Reads a text file of the workspace.", zh: "读取工作区中的文本文件。" },
      purpose: `Reads a text file of the workspace, at most ${MAX_CHARS} characters.`,
      args: Joi.object(fileRef),
      run: (asked, context) => textIn(asked, context, ["text"]),
    }),
    tool<FileRef & { readonly old_text: string; readonly new_text: string }>({
      ...acts,
      name: "workspace_edit_file",
      help: { en: "Replaces a passage in a text file of the workspace.", zh: "替换工作区文本文件中的一段内容。" },
      purpose: "Replaces one passage of a text file of the workspace. The passage must occur exactly once.",
      args: Joi.object({
        ...fileRef,
        old_text: textOf(100_000).disallow("").required().description("The passage exactly as in the file"),
        new_text: textOf(100_000).allow("").required().description("The replacement"),
      }),
      run: ({ old_text, new_text, ...asked }, context) => edit(asked, context, old_text, new_text),
    }),
    tool<FileRef & { readonly recursive: boolean }>({
      ...acts,
      name: "workspace_delete_file",
      help: {
        en: "Deletes a file or folder of the workspace; it can be restored for seven days.",
        zh: "删除工作区中的文件或文件夹，七天内可恢复。",
      },
      purpose: "Deletes a file or folder of the workspace. People can put it back for seven days.",
      args: Joi.object({
        ...fileRef,
        recursive: Joi.boolean().default(false).description("Also deletes the content of a folder"),
      }),
      deletes: true,
      run: async ({ recursive, ...asked }, context) => ({
        removed: await workspaces.remove(toArea(asked, context), asked.filename, { recursive, by: toDoer(context) }),
      }),
    }),
    tool<{ readonly scope: FileRef["scope"]; readonly path: string; readonly recursive: boolean; readonly q: string }>({
      ...reads,
      name: "workspace_list_files",
      help: { en: "Lists the files and folders of the workspace.", zh: "列出工作区中的文件和文件夹。" },
      purpose: "Lists the files and folders of the workspace, at most 500.",
      args: Joi.object({
        scope: fileRef.scope,
        path: Joi.string().allow("").max(1_000).default("").description("A folder; empty for the whole workspace"),
        recursive: Joi.boolean().default(true),
        q: Joi.string().allow("").max(200).default("").description("Part of the name"),
      }),
      async run({ path, recursive, q, ...asked }, context) {
        const query = { path, recursive, q, limit: 500, offset: 0 };
        const { items, total } = await workspaces.list(toArea(asked, context), query);
        return {
          total,
          items: items.map(({ path: at, type, size, mime_type }) => ({ path: at, type, size, mime_type })),
        };
      },
    }),
    tool<FileRef>({
      ...acts,
      name: "workspace_send_file",
      help: { en: "Shows a file of the workspace in the conversation.", zh: "在会话中展示工作区中的文件。" },
      purpose: "Sends a file of the workspace to the people of this conversation, who can open it.",
      args: Joi.object(fileRef),
      async run(asked, context) {
        const area = toArea(asked, context);
        const item = await workspaces.find(area, asked.filename);
        if (item?.type !== "file") throw notFound("file", asked.filename);
        const conversation = sessions();
        if (!conversation || context.sessionId === undefined) {
          throw filesTexts.error("bad_request", "nowhere_to_show");
        }
        const { url, name, mimeType, size } = await workspaces.copyOf(
          workspaceFileUrl(area, item.path),
          context.sessionId,
        );
        await files.keep([url], context.sessionId);
        const type = attachmentTypeOf(mimeType);
        const attachment: Attachment = { type, url, name, mime_type: mimeType, size, source: "workspace" };
        await sendToPeople(await conversation.get(context.sessionId), attachment, context);
        await conversation.record(context.sessionId, {
          role: "assistant",
          content: "",
          attachments: [attachment],
          sender: "",
          senderId: null,
          source: "workspace",
        });
        return { sent: name };
      },
    }),
    tool<FileRef>({
      ...reads,
      name: "workspace_parse_file",
      help: { en: "Reads the text of an office document.", zh: "读取办公文档中的文字。" },
      purpose: "Reads the text of an office document or text file of the workspace (docx, xlsx, pptx, odt, ods, odp).",
      args: Joi.object(fileRef),
      run: (asked, context) => textIn(asked, context, ["text", "document"]),
    }),
    tool<FileRef>({
      ...reads,
      name: "workspace_file_info",
      help: { en: "Size, type and time of change of a file.", zh: "查看文件的大小、类型和修改时间。" },
      purpose: "Returns size, type and time of change of a file or folder of the workspace.",
      args: Joi.object(fileRef),
      async run(asked, context) {
        const item = await workspaces.find(toArea(asked, context), asked.filename);
        if (!item) throw notFound("file", asked.filename);
        return item;
      },
    }),
  ];

  /** Sends the file to the people of a platform's conversation, except in an operator's private turn. */
  async function sendToPeople(
    session: Session,
    attachment: Attachment,
    { isOperatorOnly }: ToolContext,
  ): Promise<void> {
    const place = isOperatorOnly ? undefined : toPlatformConversation(session);
    if (place) await gateway().deliver({ ...place, text: "", attachments: [attachment], order: BY_SERVICE });
  }

  async function edit(asked: FileRef, context: ToolContext, oldText: string, newText: string) {
    const area = toArea(asked, context);
    await using file = await workspaces.open(area, asked.filename);
    if (file.item.size > MAX_EDIT_BYTES) throw filesTexts.error("too_large", "edit_large");
    let text: string;
    try {
      text = decodeUtf8(await file.head(MAX_EDIT_BYTES));
    } catch (cause) {
      throw filesTexts.error("bad_request", "not_text", { filename: asked.filename }, { cause });
    }
    const [before, after, ...more] = text.split(oldText);
    if (before === undefined || after === undefined || more.length > 0) {
      const times = text.split(oldText).length - 1;
      throw filesTexts.error("bad_request", "times", { times }, { field: "old_text" });
    }
    const ifMatch = Number(file.item.etag.slice(1, -1));
    return await workspaces.write(area, file.item.path, Buffer.from(before + newText + after), {
      ifMatch,
      by: toDoer(context),
    });
  }
}

/** Returns the area of a call: the calling conversation's own workspace, independent of the model's arguments, or the shared one. */
function toArea({ scope }: Pick<FileRef, "scope">, { sessionId }: ToolContext): WorkspaceArea {
  if (scope === "shared") return { scope };
  if (sessionId === undefined) throw filesTexts.error("bad_request", "only_shared", {}, { field: "scope" });
  return { scope, sessionId };
}

export function toDoer({ traceId, sessionId }: ToolContext) {
  return sessionId === undefined ? undefined : { traceId, sessionId };
}
