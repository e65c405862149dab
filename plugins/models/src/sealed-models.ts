import type { Collection, Logger, Redaction, SecretBox } from "@parley/core";
import type { StoredModel } from "./schema.ts";
import { maskedModel, openedModel, writtenSecretsIn } from "./written-secrets.ts";

/** A model as it is stored: masked, what is secret in it beside it, encrypted. */
export type SealedModel = StoredModel & { readonly sealed?: string };

export interface SealedModelsParts {
  readonly stored: Collection<SealedModel>;
  readonly box: () => SecretBox;
  readonly redaction: () => Redaction;
  readonly log: Logger;
}

/** The models with the secrets that are written into their addresses and requests, which are stored for each model alone. */
export interface SealedModels extends Pick<Collection<StoredModel>, "list" | "get" | "put" | "remove"> {
  /** As one is stored, for who stores several together. */
  sealed(model: StoredModel): SealedModel;
  /** Seals what an earlier version stored in clear. */
  sealAll(): Promise<void>;
}

export function createSealedModels({ stored, box, redaction, log }: SealedModelsParts): SealedModels {
  const ownerOf = (id: string) => `model-request:${id}`;
  const remember = (model: StoredModel): StoredModel => {
    for (const secret of Object.values(writtenSecretsIn(model))) redaction().remember(secret);
    return model;
  };
  const open = ({ sealed, ...model }: SealedModel): StoredModel => {
    if (sealed === undefined) return remember(model);
    try {
      return remember(openedModel(model, JSON.parse(box().open(sealed, ownerOf(model.id)))));
    } catch (error) {
      // It is there, masked, until somebody types them in anew.
      log.warn("the secrets of a model cannot be opened", { model: model.id, error });
      return model;
    }
  };
  /** They are asked for with every message. */
  const known = new WeakMap<SealedModel, StoredModel>();
  const opened = (model: SealedModel): StoredModel => {
    const found = known.get(model) ?? open(model);
    known.set(model, found);
    return found;
  };
  const sealed = (model: StoredModel): SealedModel => {
    const secrets = writtenSecretsIn(remember(model));
    if (Object.keys(secrets).length === 0) return model;
    return { ...maskedModel(model), sealed: box().seal(JSON.stringify(secrets), ownerOf(model.id)) };
  };
  return {
    sealed,
    list: async () => (await stored.list()).map(opened),
    async get(id) {
      const model = await stored.get(id);
      return model && opened(model);
    },
    put: (model) => stored.put(sealed(model)),
    remove: stored.remove,
    async sealAll() {
      for (const model of await stored.list())
        if (model.sealed === undefined && Object.keys(writtenSecretsIn(model)).length > 0)
          await stored.put(sealed(model));
    },
  };
}
