import { type ModelServer, startModelServer } from "@parley/simulators";
import type { Client } from "./http/client.ts";
import { type Parley, type ParleyOptions, startParley } from "./parley.ts";

/** The service, its administrator, and a scripted model that answers its conversations. */
export interface ParleyWithModel extends AsyncDisposable {
  readonly models: ModelServer;
  readonly parley: Parley;
  readonly api: Client;
}

export async function startParleyWithModel(options: ParleyOptions = {}): Promise<ParleyWithModel> {
  const models = await startModelServer();
  const parley = await startParley(options);
  const api = await parley.signIn();
  const { id } = await api.post<{ id: string }>("/api/ai-models", { name: "m", model: "m", base_url: models.baseUrl });
  await api.post(`/api/ai-models/${id}/apply`, {});
  return {
    models,
    parley,
    api,
    async [Symbol.asyncDispose]() {
      await parley[Symbol.asyncDispose]();
      await models[Symbol.asyncDispose]();
    },
  };
}
