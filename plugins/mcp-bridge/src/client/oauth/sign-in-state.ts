/** State of a sign-in. `needed`: the server requires one; `again`: an earlier one is no longer accepted. */
export type SignInState = "none" | "needed" | "again" | "signed_in";
