import { expect } from "vitest";
import type { ChannelAdapterCase } from "./case.ts";
import { chapter } from "./check.ts";
import type { Scene } from "./scene.ts";
import { expectRejection } from "./wait.ts";

const MUST_REJECT = "it had to reject the client";

const readSecretSetting = ({ inboundSecretSetting, secretSetting }: ChannelAdapterCase | Scene["given"]) =>
  inboundSecretSetting ?? secretSetting;
const skipWithoutSecret = (given: ChannelAdapterCase) =>
  readSecretSetting(given) === undefined ? "the channel has no secret for inbound messages" : undefined;

export const verification = chapter("verification", {
  "an unset secret admits nobody": {
    skipped: skipWithoutSecret,
    async run({ given, open, accepted }) {
      const link = await open({ ...given.config, [readSecretSetting(given) as string]: "CONTRACT_UNSET" });
      await expectRejection(given.connect(link), MUST_REJECT);
      expect(accepted).toEqual([]);
    },
  },
  "an empty secret admits nobody": {
    skipped: skipWithoutSecret,
    async run({ given, open, secrets, accepted, channel }) {
      const link = await open();
      secrets[String(channel().config[readSecretSetting(given) as string])] = "";
      await expectRejection(given.connect(link), MUST_REJECT);
      expect(accepted).toEqual([]);
    },
  },
  "a wrong secret admits nobody, and a changed one applies at once": {
    skipped: skipWithoutSecret,
    async run({ given, open, secrets, channel }) {
      const name = String(channel().config[readSecretSetting(given) as string]);
      const right = secrets[name] as string;
      const link = await open();
      secrets[name] = `${right}x`;
      await expectRejection(given.connect(link), `${MUST_REJECT} with another secret`);
      secrets[name] = right.slice(0, -1);
      await expectRejection(given.connect(link), `${MUST_REJECT} with a secret that only begins like the right one`);
      secrets[name] = right;
      await (await given.connect(link))[Symbol.asyncDispose]();
    },
  },
  "a rejection reveals nothing about the secret": {
    skipped: skipWithoutSecret,
    async run({ given, open, secrets, channel, logged }) {
      const name = String(channel().config[readSecretSetting(given) as string]);
      const right = secrets[name] as string;
      const link = await open();
      secrets[name] = `another-${right}`;
      const error = await given.connect(link).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(String(error)).not.toContain(right);
      expect(logged.join("\n")).not.toContain(right);
    },
  },
});
