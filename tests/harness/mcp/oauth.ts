import type { OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js";
import type { OAuthClientInformationMixed, OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js";

const REDIRECT_URL = "http://127.0.0.1:33418/callback";

/** State of a desktop client, and the URL it would open in a browser. */
export interface TestClient extends OAuthClientProvider {
  asked: URL | undefined;
  saved: OAuthTokens | undefined;
  information: OAuthClientInformationMixed | undefined;
  verifier: string;
}

export function createTestClient(name = "Test client", redirectUrl = REDIRECT_URL): TestClient {
  const client: TestClient = {
    asked: undefined,
    saved: undefined,
    information: undefined,
    verifier: "",
    redirectUrl,
    clientMetadata: {
      client_name: name,
      redirect_uris: [redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    },
    state: () => "a state",
    clientInformation: () => client.information,
    saveClientInformation(information) {
      client.information = information;
    },
    tokens: () => client.saved,
    saveTokens(tokens) {
      client.saved = tokens;
    },
    redirectToAuthorization(url) {
      client.asked = url;
    },
    saveCodeVerifier(verifier) {
      client.verifier = verifier;
    },
    codeVerifier: () => client.verifier,
    invalidateCredentials(what) {
      if (what !== "tokens" && what !== "verifier") client.information = undefined;
      client.saved = undefined;
    },
  };
  return client;
}

/** The response of a page. */
export interface Page {
  readonly status: number;
  readonly html: string;
  readonly headers: Headers;
  /** Redirect target. */
  readonly location: string;
}

/** Creates a browser without scripts: it handles cookies, forms, and the headers that browsers send about their origin. */
export function createVisitor(language = "en") {
  let cookie = "";
  const send = async (url: string | URL, init: RequestInit = {}): Promise<Page> => {
    const headers = new Headers(init.headers);
    headers.set("accept-language", language);
    if (cookie !== "") headers.set("cookie", cookie);
    const answer = await fetch(url, { ...init, headers, redirect: "manual" });
    const [given] = answer.headers.getSetCookie();
    if (given) cookie = given.split(";", 1)[0] ?? "";
    const { status } = answer;
    return {
      status,
      html: await answer.text(),
      headers: answer.headers,
      location: answer.headers.get("location") ?? "",
    };
  };
  return {
    open: (url: string | URL) => send(url),
    /** Submits the form of a page with the typed values and the pressed button. */
    submit(page: Page, base: string | URL, typed: Readonly<Record<string, string>>, headers: object = {}) {
      const { origin } = new URL(base);
      const action = /action="([^"]+)"/.exec(page.html)?.[1] ?? "";
      const hidden = [...page.html.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)];
      const level = [...page.html.matchAll(/name="level" value="(\w+)" checked/g)];
      const body = new URLSearchParams(
        [...hidden, ...level.map(([all, value]) => [all, "level", value])].map(
          ([, name = "", value = ""]) => [name, unescapeHtml(value)] as [string, string],
        ),
      );
      for (const [name, value] of Object.entries(typed)) body.set(name, value);
      return send(new URL(action, origin), { method: "POST", body, headers: { origin, ...headers } });
    },
  };
}

export type Visitor = ReturnType<typeof createVisitor>;

/** Signs in and grants the request up to `level`; returns the redirect URL with the result. */
export async function approve(
  visitor: Visitor,
  asked: URL | undefined,
  credentials: Readonly<Record<string, string>>,
  typed: Readonly<Record<string, string>> = {},
): Promise<URL> {
  if (!asked) throw new Error("nobody was asked");
  let page = await visitor.open(asked);
  if (page.html.includes('name="password"')) {
    const signedIn = await visitor.submit(page, asked, credentials);
    page = await visitor.open(new URL(signedIn.location, asked));
  }
  const decided = await visitor.submit(page, asked, { decision: "allow", ...typed });
  if (decided.status !== 303) throw new Error(`${decided.status} ${decided.html}`);
  return new URL(decided.location);
}

function unescapeHtml(text: string): string {
  return text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => HTML_ENTITIES[name] ?? "");
}

const HTML_ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
