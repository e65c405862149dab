import {
  differing,
  maskLiteralSecrets,
  REQUEST_SECRETS,
  requestComingIn,
  requestSecretsOf,
  resourceSection,
  type TransferSection,
} from "@parley/core";
import type { CustomTools } from "./custom-tools.ts";
import { customTools, type ToolFields } from "./schema.ts";
import type { ToolList } from "./tool-list.ts";

type Incoming = Partial<ToolFields> & { readonly [REQUEST_SECRETS]?: string | null };

/** Tools that people made; what comes in is switched on by hand. Their secrets go along only when asked for. */
export function toolsSection(list: () => ToolList, custom: () => CustomTools): TransferSection {
  const withSecrets = ({ [REQUEST_SECRETS]: secrets, ...fields }: Incoming, id?: string) => {
    const there = id === undefined ? undefined : custom().find(id)?.implementation;
    const implementation = fields.implementation ?? (there && maskLiteralSecrets(there));
    return implementation ? { ...fields, implementation: requestComingIn(implementation, secrets, there) } : fields;
  };
  return resourceSection(
    { id: "tools", title: customTools.title.many },
    customTools,
    () => ({
      ...list().rows,
      create: (draft, request) => list().rows.create(withSecrets(draft) as ToolFields, request),
      change: (id, patch, request) => list().rows.change(id, withSecrets(patch, id), request),
      page: (query, caller) => list().rows.page({ ...query, source: "custom" }, caller),
    }),
    (item, there) => {
      const asHere = { ...item, enabled: there?.enabled ?? false };
      const isSame = there !== undefined && differing(there, asHere).length === 0;
      return isSame ? asHere : { ...item, enabled: false };
    },
    {
      field: REQUEST_SECRETS,
      all: async () =>
        requestSecretsOf(
          custom()
            .all()
            .map(({ id, implementation: request }) => ({ id, request })),
        ),
    },
  );
}
