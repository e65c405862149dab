import type { Clock, Collection } from "@parley/core";

const RETENTION_MS = 30 * 86_400_000;
const MAX_ENDED_LOGINS = 2000;

export type LoginEndReason = "ended" | "password" | "role" | "account" | "expired" | "key" | "many";

export interface EndedLogin {
  /** SHA-256 of the login token in hex. */
  readonly id: string;
  readonly why: LoginEndReason;
  readonly ended_at: string;
}

/** Stores for a month why logins ended, for callers that still present their token. */
export interface EndedLogins {
  record(id: string, why: LoginEndReason): Promise<void>;
  /** Returns why a login ended; undefined when it never existed or ended long ago. */
  findReason(id: string): Promise<LoginEndReason | undefined>;
}

export function createEndedLogins(ended: Collection<EndedLogin>, clock: Clock): EndedLogins {
  const isOld = ({ ended_at }: EndedLogin) => clock.now() - Date.parse(ended_at) > RETENTION_MS;
  return {
    async record(id, why) {
      const before = (await ended.list()).toSorted((a, b) => (a.ended_at < b.ended_at ? -1 : 1));
      const most = before.length - MAX_ENDED_LOGINS;
      for (const [at, one] of before.entries()) if (at <= most || isOld(one)) await ended.remove(one.id);
      await ended.put({ id, why, ended_at: new Date(clock.now()).toISOString() });
    },
    findReason: async (id) => (await ended.get(id))?.why,
  };
}
