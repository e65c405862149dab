type Chinese = typeof import("@parley/core/chinese");

let chinese: Chinese | undefined;

/** Loads the Chinese error messages, only for Chinese readers. */
export async function loadChinese(): Promise<void> {
  chinese = await import("@parley/core/chinese");
}

/** The Chinese message of an error; undefined for an unknown one. */
export const chineseOf: Chinese["chineseOf"] = (failure) => chinese?.chineseOf(failure);

/** Returns the Chinese meaning of an error code with the service's message; the message alone until the texts are loaded. */
export const chineseByCode: Chinese["chineseByCode"] = (code, sentence) =>
  chinese?.chineseByCode(code, sentence) ?? sentence;
