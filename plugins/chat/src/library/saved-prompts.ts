import Joi from "@hapi/joi";
import { displayName, MESSAGE_CHARACTERS, notBlank, resource, tagsOf, textOf, withLabel } from "@parley/core";

/** A text saved under a name for reuse. */
export interface PromptFields {
  readonly name: string;
  readonly content: string;
  readonly tags: readonly string[];
  readonly is_shared: boolean;
}

const toLabel = (en: string, zh: string) => ({ title: { en, zh } });

/** The owner of a prompt, as stored. */
export interface Owned {
  readonly owner_id: string;
  readonly owner: string;
}

/** The resource of saved prompts: those of one person, and shared ones. */
export const savedPrompts = resource<PromptFields>({
  kind: "saved_prompt",
  most: 1_000,
  path: "/api/prompts",
  param: "prompt_id",
  idPrefix: "prompt",
  title: { one: { en: "prompt", zh: "提示词" }, many: { en: "prompts", zh: "提示词" } },
  about: {
    en: "Messages you use often. Type / in a conversation to insert one.",
    zh: "常用的消息。在会话中输入 / 即可调用。",
  },
  chosenId: Joi.string().pattern(/^prompt_[0-9a-z]{20}$/),
  fields: {
    name: withLabel(displayName(100).required(), toLabel("Name", "名称")),
    content: withLabel(notBlank(textOf(MESSAGE_CHARACTERS)).required(), {
      ...toLabel("Text", "内容"),
      help: {
        en: "{{topic}} is asked for when you use the prompt. {{tone: formal | casual}} offers choices. {{date}}, {{time}} and {{clipboard}} are filled in automatically.",
        zh: "使用时会询问 {{主题}}；{{语气: 正式 | 随意}} 提供选项；{{date}}、{{time}} 和 {{clipboard}} 会自动填入。",
      },
      widget: "textarea",
    }),
    tags: withLabel(tagsOf().default([]), { ...toLabel("Tags", "标签"), widget: "tags" }),
    is_shared: withLabel(Joi.boolean().default(false), {
      ...toLabel("Shared", "共享"),
      help: {
        en: "Everyone who signs in can use it. Only you and administrators can change it.",
        zh: "所有登录此服务的人都可使用，但仅你和管理员可以修改。",
      },
    }),
  },
  derived: {
    owner: withLabel(Joi.string().allow("").required(), toLabel("By", "创建者")),
    is_own: withLabel(Joi.boolean().required(), toLabel("Yours", "我的")),
  },
  detail: ["content"],
  search: ["name", "content"],
  filters: ["tags", "is_shared"],
  sort: ["name", "-updated_at"],
  // Prompts are written for messages, so changing them needs `chat`, the scope of messages.
  scopes: { read: "read", change: "chat" },
  readersOf: (prompt) => (prompt.is_shared ? undefined : { accountId: (prompt as Partial<Owned>).owner_id ?? "" }),
  columns: ["name", "tags", "is_shared", "owner", "updated_at"],
});
