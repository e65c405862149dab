import type pg from "pg";

/** This process among those that write to the database. */
export interface Membership {
  readonly id: string;
  /** Others may write, too. */
  readonly isShared: boolean;
  /** On the connection that will write; `before`: the number of the one that this process had. */
  enter(client: pg.Client, before: number | undefined): Promise<void>;
}
