import { type ChannelCheck, type CheckedAccount, localizeMessage } from "@parley/core";
import { channelsTexts } from "../texts.ts";

/** Lists what was checked: the credentials, which the platform accepted, and what the adapter found besides. */
export function listChecks({
  account,
  checks,
  warnings = [],
  warningDetails = [],
}: CheckedAccount): readonly ChannelCheck[] {
  const credentials = {
    check: "credentials",
    state: "ok",
    message: channelsTexts.localized("checked_as", { account }),
  } as const;
  const toCheck = (warning: string, at: number): ChannelCheck => ({
    check: "platform",
    state: "failed",
    message: localizeMessage(warning, warningDetails[at]),
  });
  return [credentials, ...(checks ?? warnings.map(toCheck))];
}
