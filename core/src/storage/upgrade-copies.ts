// Names written by earlier versions have no Z at the end.
const COPY_NAME = /^before-(?<version>.+)-(?<date>\d{8}T\d{6})Z?$/;

/** A folder of `data/backups` with databases as they were before an upgrade. */
export interface UpgradeCopy {
  readonly name: string;
  /** The version that changed them. */
  readonly version: string;
  readonly madeMs: number;
}

/** Returns the upgrade copies among the names of a folder, oldest first. */
export function findUpgradeCopies(names: readonly string[]): readonly UpgradeCopy[] {
  const found = names.flatMap((name) => {
    const { version, date } = COPY_NAME.exec(name)?.groups ?? {};
    return version === undefined || date === undefined ? [] : [{ name, version, madeMs: parseStamp(date) }];
  });
  return found.sort((a, b) => a.madeMs - b.madeMs);
}

/** Returns the name of the copy made before an upgrade to this version. */
export function upgradeCopyName(version: string, ms: number): string {
  return `before-${version}-${new Date(ms).toISOString().replaceAll(/[-:]|\.\d+Z$/g, "")}Z`;
}

function parseStamp(stamp: string): number {
  return Date.parse(stamp.replace(/(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)/, "$1-$2-$3T$4:$5:$6Z"));
}
