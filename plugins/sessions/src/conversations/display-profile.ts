import type { CharacterFace, Session } from "@parley/core";

/** What a session shows of its character unless it has its own: empty is what follows the character. */
type DisplayProfile = Pick<Session, "sender_name" | "sender_avatar" | "sender_portrait" | "scenario" | "first_message">;
type ProfileField = keyof DisplayProfile;

const CHARACTER_FIELD_BY_PROFILE_FIELD: { readonly [Field in ProfileField]: keyof CharacterFace } = {
  sender_name: "name",
  sender_avatar: "avatar",
  sender_portrait: "portrait",
  scenario: "scenario",
  first_message: "first_message",
};
const entries = Object.entries(CHARACTER_FIELD_BY_PROFILE_FIELD) as readonly (readonly [
  ProfileField,
  keyof CharacterFace,
])[];

/** Nothing of its own. */
export const EMPTY_PROFILE: DisplayProfile = {
  sender_name: "",
  sender_avatar: "",
  sender_portrait: "",
  scenario: "",
  first_message: "",
};

/** The session as people see it: what it has not of its own is the character's as it is now. */
export function applyCharacterProfile(session: Session, face: CharacterFace | undefined): Session {
  if (!face) return session;
  const values = entries.map(([field, of]) => [field, session[field] || face[of]]);
  return { ...session, ...Object.fromEntries(values) };
}

/** What is stored of it: what is the same as the character's goes on following it. */
export function stripCharacterProfile<Fields extends Partial<Session>>(
  fields: Fields,
  face: CharacterFace | undefined,
): Fields {
  if (!face) return fields;
  const inherited = entries.filter(([field, of]) => fields[field] !== undefined && fields[field] === face[of]);
  return { ...fields, ...Object.fromEntries(inherited.map(([field]) => [field, ""])) };
}
