import {
  type ChannelConfig,
  type ChannelIo,
  type CheckedAccount,
  deliveryFailure,
  silentLogger,
  toSharedError,
} from "@parley/core";
import { raceWithSignal } from "@parley/core/async";
import { type OpenAdapterDeps, openAdapter } from "./open-adapter.ts";
import { runWithNetwork } from "./package-network.ts";
import type { ServedPackage } from "./served-packages.ts";

/** Connects an adapter once and returns the name of its bot; rejects with the platform's words when it does not say one. */
export async function checkAccount(
  deps: OpenAdapterDeps,
  served: ServedPackage,
  channel: ChannelConfig,
  { secret, fetch }: Pick<ChannelIo, "secret" | "fetch">,
  signal: AbortSignal,
): Promise<CheckedAccount> {
  const read = served.settings.read(channel.config, secret);
  if ("missing" in read) throw toSharedError("unavailable", "variable_not_set", { variable: read.missing });
  const accept = async () => {
    throw toSharedError("unavailable", "channel_not_connected", {});
  };
  const io = { accept, fetch, log: silentLogger };
  const opened = await raceWithSignal(openAdapter(deps, served, { channel, io, options: read.options }), signal);
  const { adapter, problem } = opened;
  const ownAccount = served.known?.ownAccount;
  const user =
    ownAccount === undefined ? adapter : await runWithNetwork(fetch, async () => adapter.getUser?.(ownAccount));
  await opened.close();
  if (!user || typeof adapter.botUserId !== "string")
    throw deliveryFailure("auth", "credentials", { words: problem() });
  const name: unknown = Reflect.get(user, "userName");
  return { account: typeof name === "string" ? `@${name}` : adapter.botUserId };
}
