import { joinSignals } from "../packages/package-network.ts";

/** Clients of the adapter: of the API with its tokens, and of the keys by which requests are verified. */
const CLIENTS = ["authClient", "oauth2Client"] as const;

/** Makes Google's clients send by the channel's `fetch`: they have one of their own. */
export function sendByFetch(adapter: object, given: typeof fetch): void {
  const send: typeof fetch = (input, init) => given(input, { ...init, signal: joinSignals(init?.signal) });
  for (const name of CLIENTS) {
    const defaults = readObject(readObject(readObject(adapter, name), "transporter"), "defaults");
    if (defaults) Reflect.set(defaults, "fetchImplementation", send);
  }
}

function readObject(value: object | undefined, name: string): object | undefined {
  const found: unknown = value && Reflect.get(value, name);
  return typeof found === "object" && found !== null ? found : undefined;
}
