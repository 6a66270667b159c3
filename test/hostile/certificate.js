// A self-signed certificate for ports.js.
import { execFileSync } from 'node:child_process'

/** @param {string} host @param {string} folder for the files @returns the variables of ports.js */
export function certificateOf(host, folder) {
  const [KEY, CERTIFICATE] = [`${folder}/key.pem`, `${folder}/certificate.pem`]
  const subject = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`]
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  execFileSync('openssl', ['req', '-x509', ...curve, '-keyout', KEY, '-out', CERTIFICATE, ...subject], {
    stdio: 'ignore',
  })
  return { HOST_NAME: host, KEY, CERTIFICATE }
}
