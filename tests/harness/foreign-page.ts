import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A website of another origin than the service, with one page and a policy as strict as can be. */
export interface ForeignPage extends AsyncDisposable {
  readonly origin: string;
  /** Address of the page in a language. */
  address(language?: string): string;
}

/** Starts a website that shows a chat of the service; its policy allows the service's script and connections, and nothing else. */
export async function startForeignPage(service: string, channelId: string): Promise<ForeignPage> {
  const policy = [
    "default-src 'none'",
    `script-src ${service}`,
    `connect-src ${service} ${service.replace("http", "ws")}`,
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
  ].join("; ");
  const server = createServer(({ url = "/" }, response) => {
    const language = new URL(url, "http://x").searchParams.get("language") ?? "en";
    response.writeHead(200, { "content-type": "text/html; charset=utf-8", "content-security-policy": policy });
    response.end(`<!doctype html>
<html lang="${language}">
<head><meta name="viewport" content="width=device-width, initial-scale=1"><title>The shop</title></head>
<body>
<main><h1>The shop</h1><p>We sell tea.</p></main>
<script src="${service}/widget.js" data-channel="${channelId}" async></script>
</body>
</html>`);
  }).listen(0, "localhost");
  await once(server, "listening");
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    address: (language = "en") => `${origin}/?language=${language}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
