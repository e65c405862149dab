import {
  type Caller,
  type ChangeRequest,
  hasScope,
  notFound,
  type RecordPart,
  type ResourceItem,
  type ResourceRecords,
  type StoredRecords,
  toRecordPage,
} from "@parley/core";
import { chatTexts } from "../texts.ts";
import { type Owned, type PromptFields, savedPrompts } from "./saved-prompts.ts";

type StoredPrompt = ResourceItem<PromptFields> & Owned;

/** Creates the prompt records: each person sees their own prompts and the shared ones; administrators see no others either. */
export function createSavedPromptRecords(stored: () => StoredRecords<PromptFields>): ResourceRecords<PromptFields> {
  const get = async (id: string, caller: Caller) => {
    const found = (await stored().find(id)) as StoredPrompt | undefined;
    if (!found || !canSee(found, caller)) throw notFound("prompt", id);
    return found;
  };
  const assertMayChange = async (id: string, { caller }: ChangeRequest) => {
    const found = await get(id, caller);
    if (!isOwn(found, caller) && !hasScope(caller, "admin")) throw chatTexts.error("permission_denied", "not_yours");
  };
  return {
    async page(query, caller) {
      const found: StoredPrompt[] = [];
      for await (const one of stored().all()) if (canSee(one as StoredPrompt, caller)) found.push(one as StoredPrompt);
      const page = toRecordPage(savedPrompts, found, query);
      return { ...page, items: page.items.map((one) => omitContent(toView(one, caller))) };
    },
    get: async (id, caller) => toView(await get(id, caller), caller),
    async create(draft, { caller }) {
      const { id, ...fields } = draft as PromptFields & { readonly id?: string };
      if (id !== undefined && (await stored().find(id))) throw chatTexts.error("conflict", "id_taken", { id });
      const owned = { ...fields, owner_id: caller.accountId, owner: caller.username };
      return toView(await stored().create(owned, id === undefined ? {} : { id }), caller);
    },
    async change(id, patch, request) {
      await assertMayChange(id, request);
      return toView(await stored().change(id, patch, request), request.caller);
    },
    async remove(id, request) {
      await assertMayChange(id, request);
      await stored().remove(id, request);
    },
  };
}

/** Private prompts are deleted with their account; shared ones stay. */
export function createAccountLifecycle(stored: () => StoredRecords<PromptFields>): RecordPart {
  return {
    id: "chat.prompts-of-account",
    of: "account",
    async removed(account) {
      const removedIds: string[] = [];
      for await (const one of stored().all()) {
        if ((one as StoredPrompt).owner_id === account && !one.is_shared) removedIds.push(one.id);
      }
      return (await Promise.all(removedIds.map((id) => stored().removing(id)))).flat();
    },
  };
}

const isOwn = ({ owner_id }: Owned, { accountId }: Caller) => owner_id === accountId;
const canSee = (one: StoredPrompt, caller: Caller) => one.is_shared || isOwn(one, caller);

function toView(one: ResourceItem<PromptFields>, caller: Caller) {
  const { owner_id, ...shown } = one as StoredPrompt;
  return { ...shown, is_own: owner_id === caller.accountId };
}

function omitContent<Item extends PromptFields>({ content: _content, ...listed }: Item): Item {
  return listed as Item;
}
