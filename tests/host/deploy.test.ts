import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { checkConfiguration } from "@parley/cli";
import { describe, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { startParley } from "../harness/parley.ts";

const repository = dirname(dirname(import.meta.dirname));
const deploy = join(repository, "host", "server", "deploy");
const folder = join(deploy, "nodes");
const read = (...path: readonly string[]) => readFileSync(join(...path), "utf8");
/** Variables that the service reads, including the one named in `config.ini`. */
const KNOWN = ["PARLEY_DATABASE_URL", "SVC_SECRET_KEY"];
const dockerfile = read(deploy, "Dockerfile");
const workFolder = /^WORKDIR (\S+)$/m.exec(dockerfile)?.[1] ?? "";
const dataFolder = /^VOLUME (\S+)$/m.exec(dockerfile)?.[1] ?? "";
const port = Number(/^EXPOSE (\d+)$/m.exec(dockerfile)?.[1]);

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}
interface Container {
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly envFrom: readonly { readonly secretRef: { readonly name: string } }[];
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string; readonly subPath?: string }[];
  readonly startupProbe: Probe;
  readonly readinessProbe: Probe;
  readonly livenessProbe: Probe;
}
interface PodSpec {
  readonly terminationGracePeriodSeconds: number;
  readonly containers: readonly [Container];
  readonly volumes: readonly {
    readonly name: string;
    readonly persistentVolumeClaim?: { readonly claimName: string };
    readonly configMap?: { readonly name: string };
  }[];
}
interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly selector?: { readonly app?: string; readonly matchLabels?: { readonly app: string } };
    readonly template: { readonly metadata: { readonly labels: { readonly app: string } }; readonly spec: PodSpec };
    readonly ports?: readonly { readonly targetPort: string }[];
  };
}

/** Returns true for a route of the service, or the console itself. */
const isServed = (path: string) =>
  path === "/" || read(repository, "adapters/web/client/src/generated/schema.ts").includes(`"${path}":`);
const findVariables = (text: string) => [...new Set(text.match(/\b(?:SVC|PARLEY)_[A-Z_]+/g))];

test("the configuration of several nodes is understood: every section and key", async () => {
  const root = mkdtempSync(join(tmpdir(), "parley-deploy-"));
  copyFileSync(join(folder, "config.ini"), join(root, "config.ini"));
  const env = { PARLEY_DATABASE_URL: "postgresql://parley:secret@127.0.0.1:5432/parley" };
  expect((await checkConfiguration({ root, env })).problems).toEqual([]);
  rmSync(root, { recursive: true, force: true });
});

test("the container's health check calls the service at its port", async () => {
  const [, json = "[]"] = /^HEALTHCHECK .*?CMD (.*)$/m.exec(dockerfile) ?? [];
  const [, ...args] = JSON.parse(json) as readonly string[];
  const check = async (root: string) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: "ignore" });
    return (await once(child, "exit"))[0];
  };
  const parley = await startParley();
  const page = (await fetch(parley.address)).status;
  expect(await check(parley.root)).toBe(page === 200 ? 0 : 1);
  await parley[Symbol.asyncDispose]();
  expect(await check(tmpdir())).toBe(1);
});

describe("the compose file", () => {
  interface Service {
    readonly environment?: Readonly<Record<string, string>>;
    readonly volumes: readonly string[];
    readonly hostname?: string;
    readonly depends_on?: object;
  }
  const text = read(folder, "compose.yaml");
  const { services, volumes } = parse(text, { merge: true }) as {
    readonly services: Readonly<Record<string, Service>>;
    readonly volumes: object;
  };
  const nodes = Object.entries(services).filter(([name]) => name.startsWith("parley-"));

  test("starts nodes alike: with existing variables, the same data folder and the same configuration", () => {
    expect(nodes.length).toBeGreaterThan(1);
    for (const [name, { environment = {}, volumes: mounts, hostname, depends_on: needs = {} }] of nodes) {
      expect(Object.keys(environment).sort()).toEqual([...KNOWN].sort());
      expect(mounts).toEqual([`./config.ini:${workFolder}/config.ini:ro`, `data:${dataFolder}`]);
      expect(hostname).toBe(name);
      expect(Object.keys(needs).every((one) => one in services)).toBe(true);
    }
    expect(findVariables(text).filter((name) => !KNOWN.includes(name))).toEqual([]);
  });

  test("mounts existing files", () => {
    for (const mount of Object.values(services).flatMap((service) => service.volumes)) {
      const [from = ""] = mount.split(":");
      expect(from.startsWith("./") ? existsSync(join(folder, from)) : from in volumes, mount).toBe(true);
    }
  });

  test("has a proxy that checks the readiness of each node", () => {
    const proxy = read(folder, "Caddyfile");
    const asked = /reverse_proxy (.+) \{/.exec(proxy)?.[1]?.split(" ");
    expect(asked).toEqual(nodes.map(([name]) => `${name}:${port}`));
    expect(isServed(/health_uri (\S+)/.exec(proxy)?.[1] ?? "")).toBe(true);
  });
});

describe("the manifests for Kubernetes", () => {
  const text = read(folder, "kubernetes.yaml");
  const manifests = parseAllDocuments(text).map((one) => {
    expect(one.errors).toEqual([]);
    return one.toJS() as Manifest;
  });
  const find = (kind: string) => manifests.find((one) => one.kind === kind);
  const template = find("Deployment")?.spec.template;
  const pod = template?.spec;
  const container = pod?.containers[0];

  test("select their own pods and name existing volumes, claims and ports", () => {
    const labels = manifests.flatMap(({ spec: { selector } }) => selector?.app ?? selector?.matchLabels?.app ?? []);
    expect(new Set(labels)).toEqual(new Set([template?.metadata.labels.app]));
    expect(labels).toHaveLength(3);
    const claims = pod?.volumes.flatMap(({ persistentVolumeClaim: claim }) => claim?.claimName ?? []);
    expect(claims).toEqual([find("PersistentVolumeClaim")?.metadata.name]);
    const names = pod?.volumes.map(({ name }) => name);
    expect(container?.volumeMounts.map(({ name }) => name)).toEqual(names);
    const paths = container?.volumeMounts.map(({ mountPath }) => mountPath);
    expect(paths).toEqual([dataFolder, `${workFolder}/config.ini`]);
    expect(container?.ports).toEqual([{ name: "http", containerPort: port }]);
    expect(find("Service")?.spec.ports?.map(({ targetPort }) => targetPort)).toEqual(["http"]);
  });

  test("use existing routes: a draining node gets no requests and is not killed for it", () => {
    const probes = [container?.startupProbe, container?.readinessProbe, container?.livenessProbe];
    expect(probes.map((probe) => probe?.httpGet.port)).toEqual(["http", "http", "http"]);
    for (const probe of probes) expect(isServed(probe?.httpGet.path ?? "")).toBe(true);
    expect(container?.readinessProbe.httpGet.path).toBe("/api/startup-status");
    expect(container?.livenessProbe.httpGet.path).not.toBe("/api/startup-status");
  });

  test("use the secret created by the first lines, with existing variables", () => {
    expect(findVariables(text).sort()).toEqual([...KNOWN].sort());
    const secret = /create secret generic (\S+)/.exec(text)?.[1];
    const configuration = /create configmap (\S+) --from-file=config.ini/.exec(text)?.[1];
    expect(container?.envFrom).toEqual([{ secretRef: { name: secret } }]);
    expect(pod?.volumes.flatMap(({ configMap }) => configMap?.name ?? [])).toEqual([configuration]);
    // At least as long as the service may take to stop, plus the delay before it.
    expect(pod?.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(60);
  });
});

test("the variables of the manifests are read by the service", () => {
  const named = read(folder, "config.ini").match(/^url_env = (\S+)$/m)?.[1];
  expect(named).toBe("PARLEY_DATABASE_URL");
  const schema = read(repository, "host/src/config/config-schema.ts");
  for (const name of KNOWN.filter((one) => one !== named)) expect(schema).toContain(`${name}:`);
});
