import { AppError, type Clock, newId, type OwnerSecrets, type Secrets } from "@parley/core";

/** Days for which a visitor is recognised after their last visit. */
const VISITOR_TTL_MS = 30 * 86_400_000;

/** Sealed values that a page holds for its visitor: only this service can make and read them, each for one channel. */
export interface VisitorTokens {
  /** Returns the id of a new visitor. */
  create(): string;
  /** Returns a token that identifies the visitor for thirty days. */
  issue(channelId: string, visitorId: string): string;
  /** Returns the visitor of a token; undefined when it is forged, of another channel, or expired. */
  read(channelId: string, token: string): string | undefined;
  /** Returns a token by which this visitor, and no other, may attach an uploaded file. */
  issueFile(channelId: string, visitorId: string, url: string): string;
  /** Returns the address of the visitor's file; undefined for any other token. */
  readFile(channelId: string, visitorId: string, token: string): string | undefined;
}

/** True for an id that `create` made. */
export function isVisitorId(id: string): boolean {
  return /^visitor_[0-9a-z]{20}$/.test(id);
}

/** Creates the tokens over the secrets of the service, so that every node and every restart recognises them. */
export function createVisitorTokens(secrets: () => Secrets, clock: Pick<Clock, "now">): VisitorTokens {
  const of = (channelId: string) => secrets().of("widget", channelId);
  return {
    create: () => newId("visitor"),
    issue: (channelId, visitorId) =>
      of(channelId).sealValue({ visitor: visitorId, until: clock.now() + VISITOR_TTL_MS }, listNoSecrets),
    read(channelId, token) {
      const { visitor, until } = openToken(of(channelId), token);
      return typeof visitor === "string" && typeof until === "number" && until > clock.now() ? visitor : undefined;
    },
    issueFile: (channelId, visitorId, url) => of(channelId).sealValue({ owner: visitorId, url }, listNoSecrets),
    readFile(channelId, visitorId, token) {
      const { owner, url } = openToken(of(channelId), token);
      return owner === visitorId && typeof url === "string" ? url : undefined;
    },
  };
}

// Ids are no secrets, so nothing of a token is masked in logs.
function listNoSecrets(): readonly string[] {
  return [];
}

function openToken(own: OwnerSecrets, token: string): Readonly<Record<string, unknown>> {
  try {
    return own.openValue<Readonly<Record<string, unknown>>>(token, listNoSecrets);
  } catch (error) {
    if (AppError.is(error)) return {};
    throw error;
  }
}
