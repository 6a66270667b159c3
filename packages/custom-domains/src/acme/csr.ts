// Certificate signing requests (RFC 2986) for one host and an ECDSA key, in DER.
import { createPrivateKey, createPublicKey, sign } from 'node:crypto'

const [INTEGER, BIT_STRING, OCTET_STRING, OID, SEQUENCE, SET, ATTRIBUTES, DNS_NAME] = [
  2, 3, 4, 6, 0x30, 0x31, 0xa0, 0x82,
]

function der(tag: number, ...contents: Uint8Array[]): Buffer {
  const content = Buffer.concat(contents)
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.of(tag, ...size), content])
}

const oid = (hex: string) => der(OID, Buffer.from(hex, 'hex'))
const extensionRequest = oid('2a864886f70d01090e')
const subjectAltName = oid('551d11')
const ecdsaWithSha256 = oid('2a8648ce3d040302')

/** @param key ECDSA, as PEM */
export function signingRequest(host: string, key: string): Buffer {
  const names = der(SEQUENCE, der(DNS_NAME, Buffer.from(host)))
  const extensions = der(SEQUENCE, der(SEQUENCE, subjectAltName, der(OCTET_STRING, names)))
  const information = der(
    SEQUENCE,
    der(INTEGER, Buffer.of(0)),
    der(SEQUENCE), // no subject: the name is in the extension
    createPublicKey(createPrivateKey(key)).export({ type: 'spki', format: 'der' }),
    der(ATTRIBUTES, der(SEQUENCE, extensionRequest, der(SET, extensions))),
  )
  const signature = der(BIT_STRING, Buffer.of(0), sign('sha256', information, key))
  return der(SEQUENCE, information, der(SEQUENCE, ecdsaWithSha256), signature)
}
