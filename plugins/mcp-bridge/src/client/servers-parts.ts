import type { Clock, Collection, Environment, LiveEvents, Logger, SealedCollection } from "@parley/core";
import type { OwnMark } from "../own-mark.ts";
import type { Line, StdioParts } from "./dial.ts";
import type { Entry } from "./entry.ts";
import type { KeptSecrets } from "./kept-secrets.ts";
import type { KeepFiles } from "./result-text.ts";
import type { StoredMarks } from "./seen-tools.ts";
import type { SignIns } from "./sign-in/sign-ins.ts";

/** What the other servers are made of. */
export interface ServersParts {
  readonly entries: SealedCollection<Entry>;
  readonly marks: Collection<StoredMarks>;
  readonly dial: (entry: Entry) => Promise<Line>;
  readonly stdio: StdioParts;
  readonly secrets: KeptSecrets;
  readonly signIns: SignIns;
  readonly environment: Environment;
  readonly events: LiveEvents;
  readonly clock: Clock;
  readonly log: Logger;
  readonly version: string;
  readonly isOurs: OwnMark["isOurs"];
  readonly mask: (text: string) => string;
  /** Where pictures that tools answer with are kept. */
  readonly files: () => KeepFiles;
  /** The service serves MCP itself: the built-in entry is there. */
  readonly hasBuiltin: boolean;
}
