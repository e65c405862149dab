import {
  type Caller,
  type ChangeRequest,
  hasScope,
  notFound,
  pageOfHeld,
  type RecordPart,
  type ResourceItem,
  type ResourceRecords,
  type StoredRecords,
} from "@parley/core";
import { type Owned, type PromptFields, savedPrompts } from "./prompt-library.ts";
import { chatFailure } from "./said-failures.ts";

type StoredPrompt = ResourceItem<PromptFields> & Owned;

/** Each person sees their own prompts and the shared ones, and nobody else's: not even an administrator. */
export function promptRecords(stored: () => StoredRecords<PromptFields>): ResourceRecords<PromptFields> {
  const get = async (id: string, caller: Caller) => {
    const found = (await stored().find(id)) as StoredPrompt | undefined;
    if (!found || !isFor(found, caller)) throw notFound("prompt", id);
    return found;
  };
  const own = async (id: string, { caller }: ChangeRequest) => {
    const found = await get(id, caller);
    if (!isOwn(found, caller) && !hasScope(caller, "admin")) throw chatFailure("permission_denied", "not_yours");
  };
  return {
    async page(query, caller) {
      const found: StoredPrompt[] = [];
      for await (const one of stored().all()) if (isFor(one as StoredPrompt, caller)) found.push(one as StoredPrompt);
      const page = pageOfHeld(savedPrompts, found, query);
      return { ...page, items: page.items.map((one) => inList(shownTo(one, caller))) };
    },
    get: async (id, caller) => shownTo(await get(id, caller), caller),
    async create(draft, { caller }) {
      const { id, ...fields } = draft as PromptFields & { readonly id?: string };
      if (id !== undefined && (await stored().find(id))) throw chatFailure("conflict", "id_taken", { id });
      const owned = { ...fields, owner_id: caller.accountId, owner: caller.username };
      return shownTo(await stored().create(owned, id === undefined ? {} : { id }), caller);
    },
    async change(id, patch, request) {
      await own(id, request);
      return shownTo(await stored().change(id, patch, request), request.caller);
    },
    async remove(id, request) {
      await own(id, request);
      await stored().remove(id, request);
    },
  };
}

/** What an account kept for itself goes with it; what it shared stays. */
export function accountPart(stored: () => StoredRecords<PromptFields>): RecordPart {
  return {
    id: "chat.prompts-of-account",
    of: "account",
    async removed(account) {
      const gone: string[] = [];
      for await (const one of stored().all()) {
        if ((one as StoredPrompt).owner_id === account && !one.is_shared) gone.push(one.id);
      }
      return (await Promise.all(gone.map((id) => stored().removing(id)))).flat();
    },
  };
}

const isOwn = ({ owner_id }: Owned, { accountId }: Caller) => owner_id === accountId;
const isFor = (one: StoredPrompt, caller: Caller) => one.is_shared || isOwn(one, caller);

function shownTo(one: ResourceItem<PromptFields>, caller: Caller) {
  const { owner_id, ...shown } = one as StoredPrompt;
  return { ...shown, is_own: owner_id === caller.accountId };
}

/** A list leaves out what is long. */
function inList<Item extends PromptFields>({ content: _content, ...listed }: Item): Item {
  return listed as Item;
}
