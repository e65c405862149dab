import type { Clock, Collection, Environment, LiveEvents, Logger } from "@parley/core";
import type { InstallationId } from "../../installation-id.ts";
import type { DialedTransport, StdioOptions } from "../connection/dial.ts";
import type { SignIns } from "../oauth/sign-ins.ts";
import type { StoredFingerprints } from "../tools/known-tools.ts";
import type { MediaStore } from "../tools/result-text.ts";
import type { Entry } from "./entry.ts";
import type { ServerSecrets } from "./server-secrets.ts";

/** Dependencies of the service for external servers. */
export interface ServersDeps {
  readonly entries: Collection<Entry>;
  readonly fingerprints: Collection<StoredFingerprints>;
  readonly dial: (entry: Entry) => Promise<DialedTransport>;
  readonly stdio: StdioOptions;
  readonly secrets: ServerSecrets;
  readonly signIns: SignIns;
  readonly environment: Environment;
  readonly events: LiveEvents;
  readonly clock: Clock;
  readonly log: Logger;
  readonly version: string;
  readonly isOwnServer: InstallationId["isOwn"];
  readonly mask: (text: string) => string;
  /** Returns the storage for pictures of tool results. */
  readonly files: () => MediaStore;
  /** True when the service serves MCP itself, so that the built-in entry exists. */
  readonly hasBuiltin: boolean;
}
