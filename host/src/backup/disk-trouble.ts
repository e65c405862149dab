import { AppError } from "@parley/core";

type Sentence = (place: string) => string;
const noRoom: Sentence = (place) => `there is no room left on the disk of ${place}`;
const noRights: Sentence = (place) => `${place} cannot be written or read by this user`;
const noFolder: Sentence = (place) => `${place} is no folder, or lies in none`;
const SENTENCES: Readonly<Record<string, Sentence>> = {
  ENOSPC: noRoom,
  EDQUOT: noRoom,
  EFBIG: (place) => `the disk of ${place} takes no file of that size`,
  EROFS: (place) => `the disk of ${place} can only be read`,
  EACCES: noRights,
  EPERM: noRights,
  // Also what Node says of a folder that is to be made on a disk that can only be read.
  ENOENT: (place) => `${place} is not there and cannot be made`,
  ENOTDIR: noFolder,
  EEXIST: noFolder,
  EIO: (place) => `the disk of ${place} fails`,
};

/** What a disk does not take, as a sentence that begins with `what`; any other failure is given back as it is. */
export function diskTrouble(what: string, folder: string, error: unknown): unknown {
  const { code, path, message } = Object(error) as Partial<NodeJS.ErrnoException>;
  const sentence = SENTENCES[code ?? ""];
  if (!sentence || AppError.is(error)) return error;
  const said = sentence(path ?? folder);
  return new AppError("unavailable", `${what}: ${said} (${message})`, { cause: error });
}
