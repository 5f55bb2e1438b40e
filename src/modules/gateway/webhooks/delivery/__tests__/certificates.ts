import { generateKeyPairSync, randomBytes, sign, type KeyObject } from "node:crypto"

/** A certificate in PEM and its private key, made for one test run: keys are never kept in the repository. */
export interface Certificate {
  cert: string
  key: string
  authority: { name: string; privateKey: KeyObject }
}

interface CertificateOptions {
  commonName: string
  /** Names the certificate is for; absent: a certificate authority. */
  hosts?: string[]
  /** The issuer; absent: self-signed. */
  issuer?: Certificate
  notBefore?: Date
  notAfter?: Date
}

const DAY_MS = 86_400_000
const ECDSA_SHA256 = "06082a8648ce3d040302"
const COMMON_NAME = "0603550403"
const BASIC_CONSTRAINTS = "0603551d13"
const SUBJECT_ALT_NAME = "0603551d11"

/** Makes an X.509 version 3 certificate on a P-256 key, with the few parts of DER that this needs. */
export function makeCertificate(options: CertificateOptions): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" })
  const now = Date.now()
  const issuer = options.issuer?.authority ?? { name: options.commonName, privateKey }
  const algorithm = sequence(hex(ECDSA_SHA256))
  const toBeSigned = sequence(
    der(0xa0, hex("020102")),
    der(0x02, Buffer.concat([Buffer.from([0x01]), randomBytes(15)])),
    algorithm,
    nameOf(issuer.name),
    sequence(time(options.notBefore ?? new Date(now - DAY_MS)), time(options.notAfter ?? new Date(now + DAY_MS))),
    nameOf(options.commonName),
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(...extensions(options.hosts)))
  )
  const signature = sign("sha256", toBeSigned, issuer.privateKey)
  const certificate = sequence(toBeSigned, algorithm, der(0x03, Buffer.concat([Buffer.from([0]), signature])))
  return {
    cert: pem(certificate),
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    authority: { name: options.commonName, privateKey },
  }
}

function extensions(hosts: string[] | undefined): Buffer[] {
  if (hosts === undefined) {
    const isAuthority = sequence(hex("0101ff"))
    return [sequence(hex(BASIC_CONSTRAINTS), hex("0101ff"), der(0x04, isAuthority))]
  }
  const names = sequence(...hosts.map((host) => der(0x82, Buffer.from(host))))
  return [sequence(hex(SUBJECT_ALT_NAME), der(0x04, names))]
}

function nameOf(commonName: string): Buffer {
  return sequence(der(0x31, sequence(hex(COMMON_NAME), der(0x0c, Buffer.from(commonName)))))
}

/** GeneralizedTime, in UTC. */
function time(at: Date): Buffer {
  return der(0x18, Buffer.from(`${at.toISOString().replace(/[-:T]/g, "").slice(0, 14)}Z`))
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts))
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

function hex(text: string): Buffer {
  return Buffer.from(text, "hex")
}

function pem(content: Buffer): string {
  const lines = content.toString("base64").match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`
}
