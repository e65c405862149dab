import { isKnownTo, type Sessions } from "@parley/core";
import { archiveAll } from "./conversations/archive-all.ts";
import type { SessionService } from "./conversations/session-service.ts";
import { attachToMessage, setAudioUrl } from "./messages/attach.ts";
import { createPrepareDeliveryError } from "./messages/deliver-message.ts";
import { createPlatformHistory } from "./messages/platform-history.ts";
import { createRecordUnsaid } from "./messages/unsaid.ts";
import type { SessionDeps } from "./session-deps.ts";
import type { Chat } from "./turns/chat.ts";

interface SessionsDeps {
  readonly deps: SessionDeps;
  readonly service: SessionService;
  readonly chat: Chat;
}

/** Creates the session service for other plugins. */
export function createSessions({ deps, service, chat }: SessionsDeps): Sessions {
  const { sessions, messages } = deps;
  return {
    find: sessions.find,
    boundTo: sessions.findByCharacter,
    get: sessions.get,
    messagesById: messages.byIds,
    storedMessages: messages.readByIds,
    counts: sessions.countMessages,
    activeSince: sessions.countActive,
    async history(id, limit, characterId) {
      const session = await sessions.get(id);
      const found = await messages.history(session, limit);
      return characterId === undefined ? found : found.filter((message) => isKnownTo(session, characterId, message));
    },
    customPrompt: sessions.cachedCustomPrompt,
    openFor: service.openFor,
    nameAutomatically: service.nameAutomatically,
    create: service.create,
    openOwn: service.openOwn,
    attach: (sessionId, messageId, attachment) => attachToMessage(deps, { sessionId, messageId, attachment }),
    giveVoice: (sessionId, messageId, audioUrl) => setAudioUrl(deps, { sessionId, messageId, audioUrl }),
    published: service.published,
    useModel: (id, model_id) => service.update(id, { model_id }),
    usePersona: (id, persona_id) => service.update(id, { persona_id }),
    archiveMessages: async (id) => archiveAll(deps, await sessions.get(id)),
    chat: chat.chat,
    press: chat.press,
    regenerate: chat.regenerate,
    async list({ channelId, archived = "all", ...query }) {
      const { next_cursor: _cursor, ...list } = await sessions.list({ ...query, archived, channel_id: channelId });
      return list;
    },
    async messages(idOrKey, query) {
      const session = await sessions.get(idOrKey);
      return messages.page(session, { ...query, include_system: false, include_hidden: false });
    },
    prepareDeliveryError: createPrepareDeliveryError(deps),
    recordUnsaid: createRecordUnsaid(deps),
    ...createPlatformHistory(deps, service),
  };
}
