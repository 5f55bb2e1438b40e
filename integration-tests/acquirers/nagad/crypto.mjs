import { constants, generateKeyPairSync, privateDecrypt, publicEncrypt, sign, verify } from "node:crypto"

/** A pair of keys as Nagad's portal shows them: base64 without PEM's lines. */
export function newKeys(modulusLength = 2_048) {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength })
  const shown = (key, type) => key.export({ format: "der", type }).toString("base64")
  return { publicKey, privateKey, public_key: shown(publicKey, "spki"), private_key: shown(privateKey, "pkcs8") }
}

/** @returns {string | null} the text inside; null when the block is not for this key or is badly padded */
export function decrypt(privateKey, text) {
  let hex
  try {
    const block = Buffer.from(String(text), "base64")
    hex = privateDecrypt({ key: privateKey, padding: constants.RSA_NO_PADDING }, block).toString("hex")
  } catch {
    return null
  }
  const [, message] = /^0002(?:0[1-9a-f]|[1-9a-f].){8,}?00((?:..)*)$/.exec(hex) ?? []
  return message === undefined ? null : Buffer.from(message, "hex").toString("utf8")
}

export const isSigned = (publicKey, text, signature) =>
  verify("sha256", Buffer.from(text), publicKey, Buffer.from(String(signature), "base64"))

/** Encrypted for one, signed by another. */
export function seal(fields, { to, by }) {
  const text = Buffer.from(JSON.stringify(fields))
  return {
    sensitiveData: publicEncrypt({ key: to, padding: constants.RSA_PKCS1_PADDING }, text).toString("base64"),
    signature: sign("sha256", text, by).toString("base64"),
  }
}
