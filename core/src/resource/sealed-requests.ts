import { newId } from "../ids.ts";
import { type LiteralRequest, literalSecretsIn, openLiteralSecrets, sealLiteralSecrets } from "../literal-secrets.ts";
import type { Redaction } from "../services/host.ts";
import type { Logger } from "../services/logger.ts";
import type { StoredRecords } from "../services/record-store.ts";
import type { SecretBox } from "../services/secret-box.ts";
import type { Resource, ResourceItem } from "./resource.ts";

/** Records with a request of people's own, its secrets encrypted where they are stored. */
export interface SealedRequests<Fields extends object>
  extends Pick<StoredRecords<Fields>, "all" | "find" | "get" | "create" | "change" | "remove" | "onElsewhere"> {
  /** Seals what an earlier version stored in clear. */
  sealAll(): Promise<void>;
}

/** What such records are made of. */
export interface SealedRequestsParts<Fields extends object> {
  readonly resource: Pick<Resource<Fields>, "kind" | "idPrefix">;
  readonly stored: () => StoredRecords<Fields>;
  readonly box: () => SecretBox;
  /** Is told every secret that is read or stored. */
  readonly redaction: () => Redaction;
  readonly log: Logger;
}

type WithRequest = { readonly implementation: LiteralRequest };

/** The same records with their secrets, for who calls what they describe; the box seals each for its own record. */
export function createSealedRequests<Fields extends WithRequest>(
  parts: SealedRequestsParts<Fields>,
): SealedRequests<Fields> {
  const { resource, stored, box, redaction, log } = parts;
  const ownerOf = (id: string) => `${resource.kind}:${id}`;
  const known = <Request extends LiteralRequest>(request: Request): Request => {
    for (const secret of Object.values(literalSecretsIn(request))) {
      redaction().remember(secret);
      redaction().remember(secret.replace(/^\w+ +/, ""));
    }
    return request;
  };
  const opened = (item: ResourceItem<Fields>): ResourceItem<Fields> => {
    try {
      return { ...item, implementation: known(openLiteralSecrets(item.implementation, box(), ownerOf(item.id))) };
    } catch (error) {
      // It is there, masked, until somebody types them in anew.
      log.warn("the secrets of a request cannot be opened", { kind: resource.kind, id: item.id, error });
      const { sealed: _, ...implementation } = item.implementation as LiteralRequest & { readonly sealed?: string };
      return { ...item, implementation };
    }
  };
  const sealed = <Given extends object>(given: Given, id: string): Given => {
    const { implementation }: Partial<WithRequest> = given;
    if (!implementation) return given;
    return { ...given, implementation: sealLiteralSecrets(known(implementation), box(), ownerOf(id)) };
  };
  return {
    async *all() {
      for await (const item of stored().all()) yield opened(item);
    },
    async find(id) {
      const item = await stored().find(id);
      return item && opened(item);
    },
    get: async (id) => opened(await stored().get(id)),
    async create(draft, request) {
      const id = request?.id ?? (draft as { readonly id?: string }).id ?? newId(resource.idPrefix);
      return opened(await stored().create(sealed(draft, id), { ...request, id }));
    },
    async change(id, patch, request) {
      const change = typeof patch === "function" ? patch : () => patch;
      return opened(await stored().change(id, (before) => sealed(change(opened(before)), id), request));
    },
    remove: (id, request) => stored().remove(id, request),
    onElsewhere: (heard) => stored().onElsewhere(heard),
    async sealAll() {
      for await (const { id, implementation } of stored().all()) {
        if (Object.keys(literalSecretsIn(implementation)).length === 0) continue;
        await stored().change(id, (before) => {
          const change: Pick<Fields, "implementation"> = { implementation: before.implementation };
          return sealed(change as Partial<Fields>, id);
        });
      }
    },
  };
}
