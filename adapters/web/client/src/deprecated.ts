// Names that go with the next contract.
export type { /** @deprecated Use `ParleyErrorInit`. */ ParleyErrorInit as ErrorFacts } from "./error.ts";
export type { /** @deprecated Use `CallOptions`. */ CallOptions as Asked } from "./operations.ts";
