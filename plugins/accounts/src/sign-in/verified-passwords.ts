import { createHmac, randomBytes } from "node:crypto";
import { isEqualSecret } from "@parley/core/secrets";
import type { Account } from "../records.ts";

/**
 * Passwords verified since start, as keyed hashes in memory. They are recognised without the slow hash, so that a
 * flood of wrong ones does not delay them. An unrecognised password may still be right.
 */
export interface VerifiedPasswords {
  add(account: Account, password: string): void;
  has(account: Account, password: string): boolean;
}

export function createVerifiedPasswords(): VerifiedPasswords {
  const secret = randomBytes(32);
  const digestByAccount = new Map<string, Buffer>();
  // Includes the stored hash, so that an old password is not recognised.
  const digest = ({ id, password_hash }: Account, password: string) =>
    createHmac("sha256", secret)
      .update(JSON.stringify([id, password_hash, password.normalize("NFKC")]))
      .digest();
  return {
    add: (account, password) => void digestByAccount.set(account.id, digest(account, password)),
    has(account, password) {
      const known = digestByAccount.get(account.id);
      return known !== undefined && isEqualSecret(known, digest(account, password));
    },
  };
}
