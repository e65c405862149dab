import { useQuery } from "@tanstack/react-query";
import { parley } from "../../shared/api/client.ts";
import { valueAt } from "../../shared/forms/merge-patch.ts";

/** Where others reach this service: as it is set, else as this page was reached. */
export function usePublicAddress(): string {
  const { data } = useQuery({ queryKey: ["settings"], queryFn: () => parley.get("/api/settings") });
  const given = data && valueAt(data, "web.public_base_url");
  return typeof given === "string" && given !== "" ? given.replace(/\/+$/, "") : location.origin;
}
