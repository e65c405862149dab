import { createHmac } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { AppError, Clock, Files, OpenFile, SharedWindow } from "@parley/core";
import { createAttemptLimiter } from "@parley/core/limits";
import { isEqualSecret, isPassword } from "@parley/core/secrets";
import { createNotPublicError, type Publications, type StoredPublication } from "./publications.ts";
import { createPublicationViews, type PublicationView } from "./shared-view.ts";
import { sharingTexts } from "./texts.ts";

export const FAILED_PASSWORD_WINDOW_MS = 300_000;
const TICKET_STEP_MS = 1_800_000;

/** The address and credentials of a reader. */
export interface ReadRequest {
  readonly publicId: string;
  readonly address: string;
  readonly password?: string | undefined;
  /** Proof that the correct password was given within the last hour. */
  readonly ticket?: string | undefined;
}

export interface PublicationReader {
  /**
   * Returns the publication. Rejects with `not_found`, `unauthorized` without the right password, or `rate_limited`
   * after five wrong ones.
   */
  read(request: ReadRequest): Promise<ReadPublication>;
  /** Opens a file of the publication; rejects with `not_found` when it is not, or no longer, part of it. */
  openFile(request: ReadRequest, name: string): Promise<OpenFile>;
}

/** A publication for an authorized reader. */
export interface ReadPublication {
  readonly view: PublicationView;
  /** Proof of the correct password, valid for at most an hour; "" without a password. */
  readonly ticket: string;
}

export interface PublicationReaderDeps {
  readonly publications: Publications;
  readonly files: () => Files | undefined;
  readonly clock: Clock;
  /** Returns the window of wrong passwords, of `FAILED_PASSWORD_WINDOW_MS`. */
  readonly failedPasswords: () => SharedWindow;
}

export function createPublicationReader(deps: PublicationReaderDeps): PublicationReader {
  const { publications, files, clock, failedPasswords } = deps;
  const tries = createAttemptLimiter(failedPasswords);
  const checkAccess = async (
    { publicId, passwordHash }: StoredPublication,
    { address, password, ticket }: ReadRequest,
  ) => {
    if (passwordHash === null || isTicketValid(ticket, publicId, passwordHash, clock.now())) return;
    if (password === undefined) throw createPasswordRequiredError();
    const { waitMs, delayMs } = await tries.count(publicId, address);
    if (waitMs > 0)
      throw sharingTexts.error("rate_limited", "wrong_passwords", {}, { retryAfterS: Math.ceil(waitMs / 1000) });
    if (delayMs > 0) await wait(delayMs);
    if (!(await isPassword(password, passwordHash))) throw createPasswordRequiredError();
    await tries.succeeded(publicId, address);
  };
  const find = async (request: ReadRequest): Promise<StoredPublication> => {
    const stored = await publications.find(request.publicId);
    if (!stored) throw createNotPublicError();
    await checkAccess(stored, request);
    return stored;
  };
  const views = createPublicationViews(publications);
  return {
    async read(request) {
      const stored = await find(request);
      const view = await views.open(stored);
      publications.countView(stored.publicId);
      return { view, ticket: createTicket(stored, clock.now()) };
    },
    async openFile(request, name) {
      const { files: urlByName } = await views.open(await find(request));
      const url = urlByName.get(name);
      const open = files()?.open;
      if (url === undefined || !open) throw createNotPublicError();
      return open(url);
    },
  };
}

/** Creates a ticket, constant for half an hour, so that URLs made with it can be cached. */
function createTicket({ publicId, passwordHash }: StoredPublication, nowMs: number): string {
  if (passwordHash === null) return "";
  const until = String((Math.floor(nowMs / TICKET_STEP_MS) + 2) * TICKET_STEP_MS);
  return `${until}.${signTicket(until, publicId, passwordHash)}`;
}

function createPasswordRequiredError(): AppError {
  return sharingTexts.error("unauthorized", "password_needed");
}

/** Signs with a key that depends on the stored password, so that a changed password invalidates all tickets. */
function signTicket(until: string, publicId: string, passwordHash: string): string {
  return createHmac("sha256", passwordHash).update(`${publicId}\n${until}`).digest("base64url");
}

function isTicketValid(ticket: string | undefined, publicId: string, passwordHash: string, nowMs: number): boolean {
  const [, until, given = ""] = /^(\d{1,15})\.([\w-]{43})$/.exec(ticket ?? "") ?? [];
  if (until === undefined || Number(until) <= nowMs) return false;
  const wanted = signTicket(until, publicId, passwordHash);
  return isEqualSecret(given, wanted);
}
