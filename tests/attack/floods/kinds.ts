/** Traffic of an unauthenticated attacker: content, source and amount. */
export interface Flood {
  readonly name: string;
  /** Content of each connection; `{n}` is replaced by a new number each time. */
  readonly text: string;
  /** Count of simultaneous connections. */
  readonly connections: number;
  /** Sends per second over all connections. */
  readonly perSecond: number;
  /** True to reuse a connection after a response; otherwise each send opens a new one. */
  readonly reusesConnection?: boolean;
  /** True to keep the connection open until the flood ends, whatever the service responds. */
  readonly staysOpen?: boolean;
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: {host}\r\n\r\n`;
const post = (path: string, body: string) =>
  `POST ${path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
const HEAVY = `{"a":[${"0,".repeat(1_048_000)}0]}`;
const upgrade = (path: string, headers: string) =>
  `GET ${path} HTTP/1.1\r\nHost: {host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n` +
  `Sec-WebSocket-Key: ${Buffer.alloc(16).toString("base64")}\r\n${headers}\r\n`;

const KEEP_ALIVE = { connections: 50, perSecond: 2_000, reusesConnection: true };
const PIPELINED = { connections: 10, perSecond: 10, reusesConnection: true };

export const FLOODS: readonly Flood[] = [
  {
    name: "refused sockets, and data",
    text: upgrade("/api/ws", "") + "x".repeat(70_000),
    connections: 50,
    perSecond: 200,
  },
  {
    name: "sockets without a door, and data",
    text: upgrade("/x", "") + "x".repeat(70_000),
    connections: 50,
    perSecond: 200,
  },
  {
    name: "sockets of strangers",
    text: upgrade("/api/ws", "Origin: http://{host}\r\n"),
    connections: 1_000,
    perSecond: 1_000,
    staysOpen: true,
  },
  { name: "packets of requests for the description", text: get("/api/openapi.json").repeat(1_395), ...PIPELINED },
  { name: "packets of requests for its page", text: get("/api/docs").repeat(1_395), ...PIPELINED },
  { name: "2 MiB of JSON to sign in", text: post("/api/login", HEAVY), connections: 20, perSecond: 10 },
  { name: "2 MiB of JSON to verify a token", text: post("/api/verify-token", HEAVY), connections: 20, perSecond: 10 },
  {
    name: "wrong passwords",
    text: post("/api/login", '{"username":"user{n}","password":"wrong password"}'),
    connections: 200,
    perSecond: 350,
  },
  { name: "start-up status", text: get("/api/startup-status"), ...KEEP_ALIVE },
  { name: "metrics", text: get("/metrics"), ...KEEP_ALIVE },
  { name: "a static file", text: get("/assets/icon.svg"), ...KEEP_ALIVE },
  { name: "an unknown webhook", text: post("/api/gateway/none{n}/webhook", '{"content":"hi"}'), ...KEEP_ALIVE },
  { name: "rows without a login", text: get("/api/sessions"), ...KEEP_ALIVE },
];
