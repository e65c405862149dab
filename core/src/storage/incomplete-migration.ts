import { AppError } from "../errors.ts";

/** Table in a database while rows of another one are copied into it; no service starts there until it is dropped. */
export const MOVE_TABLE = "unfinished_move";

/** Creates the error of a service that finds an incomplete migration; `where` names the database. */
export function createIncompleteMigrationError(where: string): AppError {
  const way = "run 'parley migrate' or 'parley restore' again, it goes on where it was; or empty the database";
  return new AppError("unavailable", `${where} has only a part of the rows that are being moved there: ${way}`);
}
