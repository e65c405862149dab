import {
  Characters,
  Clock,
  definePlugin,
  Egress,
  ErrorForms,
  Files,
  Gateway,
  LiveEvents,
  type Logger,
  MessageFilter,
  ModelCalls,
  Models,
  type Resolver,
  RouteTables,
  Sessions,
  Settings,
  TIME_ZONE,
} from "@parley/core";
import { askConversation } from "./answer/ask-conversation.ts";
import { askModel } from "./answer/ask-model.ts";
import { errorForm } from "./error-form.ts";
import { createModelList } from "./model-list.ts";
import { createPictures } from "./request/pictures.ts";
import { createRoutes, type RoutesDeps } from "./routes.ts";

/** Serves characters and models to clients of OpenAI's API, under `/v1`. */
export default definePlugin({
  id: "openai-api",
  requires: [ModelCalls, Models, Sessions, Gateway],
  register({ contribute, log }) {
    contribute(ErrorForms, () => errorForm);
    contribute(RouteTables, (from) => createRoutes(assemble(from, log)));
  },
});

function assemble(from: Resolver, log: Logger): RoutesDeps {
  const { now } = from.get(Clock);
  const pictures = createPictures(() => from.get(Egress));
  const models = {
    models: () => from.get(ModelCalls),
    characters: () => from.find(Characters),
    filter: () => from.find(MessageFilter),
    timeZone: () => from.get(Settings).get(TIME_ZONE),
    pictures,
    now,
  };
  const conversations = {
    sessions: () => from.get(Sessions),
    gateway: () => from.get(Gateway),
    events: () => from.get(LiveEvents),
    files: () => from.find(Files),
    pictures,
  };
  return {
    list: createModelList({ models: () => from.find(Models), characters: () => from.find(Characters) }),
    askModel: (request) => askModel(models, request),
    askConversation: (request) => askConversation(conversations, request),
    now,
    log,
  };
}
