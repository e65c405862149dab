import type pg from "pg";

/** Membership of this process among the writers of the database. */
export interface Membership {
  readonly id: string;
  /** True when other nodes may write too. */
  readonly isShared: boolean;
  /** Enters on the connection that will write; `before` is the process's former number. */
  enter(client: pg.Client, before: number | undefined): Promise<void>;
}
