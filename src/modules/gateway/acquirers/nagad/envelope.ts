import { constants, privateDecrypt, publicEncrypt, sign, verify, type KeyObject } from "node:crypto"
import { jsonObject } from "../http-call"
import { bitsOf } from "./keys"

/** PKCS#1 v1.5 takes at least so many bytes of a block: two of type, eight of padding, one that ends it. */
const PADDING_MIN_BYTES = 11
const ASCII = /^[\x20-\x7e]*$/

export type Sealed = { sensitiveData: string; signature: string }

/**
 * Nagad's envelope around a request or answer: compact JSON, encrypted with the receiver's public key (RSA, PKCS#1 v1.5,
 * one block) and signed with the sender's private key (SHA-256) over the same bytes.
 */
export class Envelope {
  constructor(
    private readonly own: KeyObject,
    private readonly nagads: KeyObject
  ) {}

  /** The most bytes of JSON that one block holds: 245 with a key of 2,048 bits. There is no second block. */
  get maxBytes(): number {
    return bitsOf(this.nagads) / 8 - PADDING_MIN_BYTES
  }

  /** The fields in the order in which they are given; null when they do not fit, or are not all ASCII. */
  seal(fields: Readonly<Record<string, string>>): Sealed | null {
    const json = JSON.stringify(fields)
    if (!ASCII.test(json) || json.length > this.maxBytes) {
      return null
    }
    const bytes = Buffer.from(json, "ascii")
    return {
      sensitiveData: publicEncrypt({ key: this.nagads, padding: constants.RSA_PKCS1_PADDING }, bytes).toString(
        "base64"
      ),
      signature: sign("sha256", bytes, this.own).toString("base64"),
    }
  }

  /** What an answer holds; null when it cannot be opened or Nagad has not signed it: callers cannot distinguish the two. */
  open({ sensitiveData, signature }: Readonly<Record<string, unknown>>): Record<string, unknown> | null {
    if (typeof sensitiveData !== "string" || typeof signature !== "string") {
      return null
    }
    const bytes = decrypted(this.own, Buffer.from(sensitiveData, "base64"))
    return bytes !== null && verify("sha256", bytes, this.nagads, Buffer.from(signature, "base64"))
      ? jsonObject(bytes.toString("utf8"))
      : null
  }
}

/**
 * Node refuses to decrypt PKCS#1 v1.5 where its OpenSSL cannot hide a wrong padding (CVE-2023-46809; Node 20 and 22),
 * and elsewhere answers a wrong padding with random bytes. So the padding is taken off here, in the same way everywhere.
 * How long that takes shows whether it was right: only answers that Nagad has sent to us may come here, nothing that a
 * browser brings.
 */
function decrypted(key: KeyObject, block: Buffer): Buffer | null {
  try {
    return unpadded(privateDecrypt({ key, padding: constants.RSA_NO_PADDING }, block))
  } catch {
    // Its length is another than the key's.
    return null
  }
}

/** 00 02, at least eight bytes that are not 00, 00, the message. */
export function unpadded(block: Buffer): Buffer | null {
  const end = block.indexOf(0, 2)
  return block[0] === 0 && block[1] === 2 && end >= PADDING_MIN_BYTES - 1 ? block.subarray(end + 1) : null
}
