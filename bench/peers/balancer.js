// nginx in front of instances of this server, with the configuration that docs/postgresql.md shows.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'

const documented = new URL('../../docs/nginx.conf', import.meta.url)

/**
 * @param {{ folder: string, host: string, port: number, ports: string[] }} options `folder` is for its files
 * @returns {string[]}
 */
export function balancerCommand({ folder, host, port, ports }) {
  const file = join(folder, 'nginx.conf')
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${name};`)
  const text = readFileSync(documented, 'utf8')
    .replace(/^pid .*$/m, `pid nginx.pid; daemon off; ${process.getuid?.() === 0 ? 'user root;' : ''}`)
    .replace(/(server 127\.0\.0\.1:\d+;\s*)+/, ports.map((each) => `server ${host}:${each};\n`).join(''))
    .replace(/listen \S+;/, `listen ${host}:${port};`)
    .replace('access_log off;', `access_log off; ${temporary.join(' ')}`)
  writeFileSync(file, text)
  return ['nginx', '-p', folder, '-e', join(folder, 'error.log'), '-c', file]
}
