import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto"
import type { EncryptionKey } from "./encryption-keys"
import type { SealedColumn } from "./sealed-columns"

const CIPHER = "aes-256-gcm"
const IV_BYTES = 12
const TAG_BYTES = 16
const NAME_CHARS = 22
const SEALED_TEXT = /^enc:v1:([A-Za-z0-9_-]{1,32}):([A-Za-z0-9_-]+)$/

/** A stored secret that cannot be read. The message names the place and the key's id, never any of the contents. */
export class UnreadableSecret extends Error {
  override readonly name = "UnreadableSecret"
}

/**
 * Encrypts what must not lie readable in the database: AES-256-GCM, as `enc:v1:<key id>:<base64url of iv, ciphertext,
 * tag>`. Table, column and row's id are authenticated along: a text that somebody copies to another row or column does
 * not decrypt there. Source: decisions, Found by real clients and people.
 */
export class SecretBox {
  private readonly first: EncryptionKey
  private readonly keys: ReadonlyMap<string, EncryptionKey["key"]>

  /** `keys[0]` encrypts, all decrypt. */
  constructor(keys: readonly [EncryptionKey, ...EncryptionKey[]]) {
    this.first = keys[0]
    this.keys = new Map(keys.map(({ id, key }) => [id, key]))
  }

  /** What texts begin with that the first key has encrypted. */
  get prefix(): string {
    return `enc:v1:${this.first.id}:`
  }

  /** Of the keys that it decrypts with. */
  get ids(): string[] {
    return [...this.keys.keys()]
  }

  seal(text: string, column: SealedColumn, id: string): string {
    const iv = randomBytes(IV_BYTES)
    const cipher = createCipheriv(CIPHER, this.first.key, iv, { authTagLength: TAG_BYTES })
    cipher.setAAD(placeOf(column, id))
    const bytes = Buffer.concat([iv, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()])
    return this.prefix + bytes.toString("base64url")
  }

  /**
   * Decrypts a column's value. Throws UnreadableSecret, also for a text that is not encrypted: whoever can write to the
   * database must not choose what the store signs with.
   */
  open(stored: string, column: SealedColumn, id: string): string {
    const [, keyId, body] = SEALED_TEXT.exec(stored) ?? []
    if (keyId === undefined) {
      throw new UnreadableSecret(`${columnName(column)} of ${id} holds a text that is not encrypted`)
    }
    return this.decrypt(keyId, body, column, id)
  }

  /** Like `open`, but null when it cannot be read, so that a secret whose key is lost can still be replaced. */
  openIfReadable(stored: string, column: SealedColumn, id: string): string | null {
    try {
      return this.open(stored, column, id)
    } catch (error) {
      if (error instanceof UnreadableSecret) {
        return null
      }
      throw error
    }
  }

  /**
   * Names a secret without revealing it: whoever lacks the key cannot try passwords against it. Another first key gives
   * another name. `purpose` keeps names of different uses apart.
   */
  nameOf(secret: string, purpose: string): string {
    const key = createHmac("sha256", this.first.key).update(`name of ${purpose}`).digest()
    return createHmac("sha256", key).update(secret).digest("base64url").slice(0, NAME_CHARS)
  }

  private decrypt(keyId: string, body: string, column: SealedColumn, id: string): string {
    const key = this.keys.get(keyId)
    if (key === undefined) {
      throw new UnreadableSecret(
        `${columnName(column)} of ${id} is encrypted with the key "${keyId}", which is not in GATEWAY_ENCRYPTION_KEYS`
      )
    }
    const bytes = Buffer.from(body, "base64url")
    try {
      const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
      decipher.setAAD(placeOf(column, id))
      decipher.setAuthTag(bytes.subarray(Math.max(IV_BYTES, bytes.length - TAG_BYTES)))
      return decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES), undefined, "utf8") + decipher.final("utf8")
    } catch {
      throw new UnreadableSecret(
        `${columnName(column)} of ${id} does not decrypt with the key "${keyId}": the key is another one, or the text was changed or copied from elsewhere`
      )
    }
  }
}

function columnName({ table, column }: SealedColumn): string {
  return `${table}.${column}`
}

function placeOf(column: SealedColumn, id: string): Buffer {
  return Buffer.from(`${columnName(column)}:${id}`, "utf8")
}
