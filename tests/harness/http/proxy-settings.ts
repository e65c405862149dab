import { once } from "node:events";
import { request } from "node:http";

/** Checks how the service treats requests with other host names, from proxies and from pages. */
export async function checkReachability(address: string) {
  const ask = async (headers: Readonly<Record<string, string>>, localAddress = "127.0.0.1") => {
    const asking = request(new URL("/api/startup-status", address), { headers, localAddress });
    asking.end();
    const [response] = await once(asking, "response");
    response.resume();
    return response;
  };
  const [published, proxied, foreign] = await Promise.all([
    ask({ host: "chat.example" }),
    ask({ host: "upstream", "x-forwarded-host": "bots.example" }, "127.0.0.7"),
    ask({ origin: "https://app.example" }),
  ]);
  return {
    public_base_url: published.statusCode === 200,
    trusted_proxies: proxied.statusCode === 200,
    cors_origins: foreign.headers["access-control-allow-origin"] === "https://app.example",
  };
}

/** Settings under which the service accepts all of them. */
export const PROXY_SETTINGS = {
  public_base_url: "https://chat.example",
  trusted_proxies: ["127.0.0.7"],
  cors_origins: ["https://app.example"],
};
