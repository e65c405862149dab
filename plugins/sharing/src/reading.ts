import { createHmac, timingSafeEqual } from "node:crypto";
import { type AppError, type Clock, type Files, isPassword, type SharedWindow } from "@parley/core";
import { notPublic, type Publications, type Stored } from "./publications.ts";
import { sharingFailure } from "./said-failures.ts";
import type { SharedSession } from "./schema.ts";

export const WRONG_WITHIN_MS = 300_000;
/** Wrong passwords of one address for one publication. */
const FAILED_EACH = 5;
/** Of all addresses: who has many of them guesses no faster. */
const FAILED_IN_ALL = 100;
const LINK_SECONDS = 3_600;
const TICKET_MS = 3_600_000;

/** Who asks for a publication, and with what. */
export interface Asking {
  readonly publicId: string;
  readonly address: string;
  readonly password?: string | undefined;
  /** Proves that the password was right a while ago. */
  readonly ticket?: string | undefined;
}

export interface Reading {
  /**
   * What is published. `not_found`, `unauthorized` without the right password (the same for none and a wrong one), `rate_limited`
   * after five wrong ones.
   */
  read(asking: Asking): Promise<SharedSession>;
  /** For pages that follow, so that the password is asked for once an hour. Undefined where there is none. */
  ticketFor(publicId: string): Promise<string | undefined>;
}

export interface ReadingParts {
  readonly publications: Publications;
  readonly files: () => Files | undefined;
  readonly clock: Clock;
  /** Wrong passwords within `WRONG_WITHIN_MS`. */
  readonly wrong: () => SharedWindow;
}

export function createReading({ publications, files, clock, wrong }: ReadingParts): Reading {
  const admit = async ({ publicId, passwordHash }: Stored, { address, password, ticket }: Asking) => {
    if (passwordHash === null || holds(ticket, publicId, passwordHash, clock.now())) return;
    if (password === undefined) throw locked();
    // Counted before it is looked at: many at once are not more than a few.
    const limits = new Map([
      [`${publicId} ${address}`, FAILED_EACH],
      [publicId, FAILED_IN_ALL],
    ]);
    const { waitMs } = await wrong().count(limits);
    if (waitMs > 0)
      throw sharingFailure("rate_limited", "wrong_passwords", {}, { retryAfterS: Math.ceil(waitMs / 1000) });
    if (!(await isPassword(password, passwordHash))) throw locked();
    await wrong().uncount([...limits.keys()]);
  };
  return {
    async read(asking) {
      const stored = await publications.find(asking.publicId);
      if (!stored) throw notPublic();
      await admit(stored, asking);
      const snapshot = await publications.snapshot(stored.publicId);
      const signed = (url: string) => (url === "" ? "" : pathOf(files()?.link(url, LINK_SECONDS)));
      publications.viewed(stored.publicId);
      return {
        ...snapshot,
        sender_avatar: signed(snapshot.sender_avatar),
        sender_portrait: signed(snapshot.sender_portrait),
        messages: snapshot.messages.map((message) => ({
          ...message,
          attachments: message.attachments.map((file) => ({ ...file, url: signed(file.url) })),
        })),
        published_at: new Date(stored.updatedMs).toISOString(),
        expires_at: new Date(stored.expiresMs).toISOString(),
      };
    },
    async ticketFor(publicId) {
      const stored = await publications.find(publicId);
      if (!stored || stored.passwordHash === null) return undefined;
      const until = String(clock.now() + TICKET_MS);
      return `${until}.${signature(until, publicId, stored.passwordHash)}`;
    },
  };
}

/** Without the origin: it is the one at which the publication is read. */
function pathOf(link: string | undefined): string {
  const url = link === undefined ? null : URL.parse(link);
  return url ? url.pathname + url.search : "";
}

function locked(): AppError {
  return sharingFailure("unauthorized", "password_needed");
}

/** Signed with what only the service knows of the password: another password, and it is worth nothing. */
function signature(until: string, publicId: string, passwordHash: string): string {
  return createHmac("sha256", passwordHash).update(`${publicId}\n${until}`).digest("base64url");
}

function holds(ticket: string | undefined, publicId: string, passwordHash: string, nowMs: number): boolean {
  const [, until, given = ""] = /^(\d{1,15})\.([\w-]{43})$/.exec(ticket ?? "") ?? [];
  if (until === undefined || Number(until) <= nowMs) return false;
  const wanted = signature(until, publicId, passwordHash);
  return timingSafeEqual(Buffer.from(given), Buffer.from(wanted));
}
