import type { SharedWindow } from "../services/gateway/shared-windows.ts";
import { networkOf } from "./client-network.ts";

const MAX_PER_NAME_AND_CLIENT = 5;
const MAX_PER_CLIENT = 20;
/** An IPv6 /48 belongs to one site, which could otherwise try from 65,536 networks. */
const MAX_PER_SITE = 60;
const FREE_ATTEMPTS = 10;
const FIRST_DELAY_MS = 50;
const MAX_DELAY_MS = 1_000;

/** A counted guess of a secret: the time until the client may try again, and the delay before this guess is checked. */
export interface CountedAttempt {
  /** Milliseconds until this client may try again; 0 when this attempt was counted. */
  readonly waitMs: number;
  readonly delayMs: number;
}

/**
 * Limit on guesses of a secret that belongs to a name, within a window and over all processes. Failures lock out the
 * client that makes them, never the name: logins of an attacked name are delayed by at most a second.
 */
export interface AttemptLimiter {
  /** Counts an attempt before it is checked, so that concurrent ones count like sequential ones. */
  count(name: string, address: string): Promise<CountedAttempt>;
  succeeded(name: string, address: string): Promise<void>;
}

/** Creates a limit that counts in the given window. */
export function createAttemptLimiter(window: () => SharedWindow): AttemptLimiter {
  return {
    async count(name, address) {
      const { waitMs, counts } = await window().count(toLimits(name, address), [toNameKey(name)]);
      const slowed = (counts.get(toNameKey(name)) ?? 0) - FREE_ATTEMPTS;
      return { waitMs, delayMs: slowed < 0 ? 0 : Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** slowed) };
    },
    async succeeded(name, address) {
      const clientKey = toClientKey(name, address);
      const others = [...toLimits(name, address).keys()].filter((key) => key !== clientKey);
      await window().uncount([...others, toNameKey(name)], [clientKey]);
    },
  };
}

// For IPv4 the site is the client itself, so the narrower limit is set last and applies.
function toLimits(name: string, address: string): ReadonlyMap<string, number> {
  return new Map([
    [networkOf(address, 48), MAX_PER_SITE],
    [networkOf(address), MAX_PER_CLIENT],
    [toClientKey(name, address), MAX_PER_NAME_AND_CLIENT],
  ]);
}

function toClientKey(name: string, address: string): string {
  return `${networkOf(address)} ${name.toLowerCase()}`;
}

function toNameKey(name: string): string {
  return `name ${name.toLowerCase()}`;
}
