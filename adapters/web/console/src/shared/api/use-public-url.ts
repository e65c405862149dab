import { useQuery } from "@tanstack/react-query";
import { getValue } from "../forms/merge-patch.ts";
import { parley } from "./client.ts";

/** Returns the public URL of this service: the configured one, else the origin of this page. */
export function usePublicUrl(): string {
  const { data } = useQuery({ queryKey: ["settings"], queryFn: () => parley.get("/api/settings") });
  const configuredUrl = data && getValue(data, "web.public_base_url");
  return typeof configuredUrl === "string" && configuredUrl !== ""
    ? configuredUrl.replace(/\/+$/, "")
    : location.origin;
}
