import type pg from "pg";

/** Membership of this process among the writers of the database. */
export interface Membership {
  readonly id: string;
  /** True when other nodes may write too. */
  readonly isShared: boolean;
  /** Registers the process on the connection that will write; `before` is its number on the previous connection. */
  enter(client: pg.Client, before: number | undefined): Promise<void>;
}
