import { type ChannelConfig, type ChannelIo, toSharedError, toWarnings } from "@parley/core";
import { chatSdkTexts } from "../texts.ts";
import { type OpenAdapter, type OpenAdapterDeps, openAdapter } from "./open-adapter.ts";
import type { ServedPackage } from "./served-packages.ts";

/** Time after which a platform is asked again who the bot is: until then its mentions are not recognized. */
const ASK_AGAIN_MS = 5_000;

/** The adapter of a channel. It is made anew when a secret changes, and when the platform did not say who the bot is. */
export interface CurrentAdapter {
  /** Rejects with `unavailable` while a secret is missing or the package fails. */
  get(): Promise<OpenAdapter>;
  close(): Promise<void>;
}

interface Made {
  readonly fingerprint: string;
  readonly opening: Promise<OpenAdapter>;
  expiresAt: number;
}

export function createCurrentAdapter(
  deps: OpenAdapterDeps,
  served: ServedPackage,
  channel: ChannelConfig,
  io: ChannelIo,
): CurrentAdapter {
  const { clock } = deps;
  let made: Made | undefined;
  const reportOpened = ({ adapter, problem }: OpenAdapter, one: Made) => {
    const isUnknown = served.known?.hasIdentity === true && typeof adapter.botUserId !== "string";
    if (isUnknown) one.expiresAt = clock.monotonic() + ASK_AGAIN_MS;
    const warnings = [
      ...(isUnknown ? [chatSdkTexts.error("unavailable", "no_identity", { words: problem() })] : []),
      ...(served.known?.usesFetch ? [] : [chatSdkTexts.error("unavailable", "own_network")]),
    ];
    if (made === one) io.report({ connected: true, ...toWarnings(warnings) });
  };
  const open = (options: object, fingerprint: string) => {
    const opening = openAdapter(deps, served, { channel, io, options });
    const one: Made = { fingerprint, opening, expiresAt: Number.POSITIVE_INFINITY };
    made = one;
    opening.then(
      (opened) => reportOpened(opened, one),
      () => {
        if (made === one) made = undefined;
      },
    );
    return opening;
  };
  const close = async () => {
    const before = made;
    made = undefined;
    await before?.opening.then(
      (opened) => opened.close(),
      () => undefined,
    );
  };
  return {
    close,
    async get() {
      const read = served.settings.read(channel.config, io.secret);
      if ("missing" in read) throw toSharedError("unavailable", "variable_not_set", { variable: read.missing });
      const fingerprint = JSON.stringify(read.options);
      if (made?.fingerprint === fingerprint && clock.monotonic() < made.expiresAt) return made.opening;
      void close();
      return open(read.options, fingerprint);
    },
  };
}
