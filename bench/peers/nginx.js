// nginx with the list as a static file; the only peer without a key check. Writes its configuration, returns its command.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'

/** @param {{ folder: string, file: string, host: string, port: number }} options @returns {string[]} */
export function nginxCommand({ folder, file, host, port }) {
  writeFileSync(join(folder, 'orders.json'), `[${readFileSync(file, 'utf8').trimEnd().replaceAll('\n', ',')}]`)
  writeFileSync(join(folder, 'nginx.conf'), configuration({ folder, host, port }))
  return ['nginx', '-p', folder, '-e', join(folder, 'error.log'), '-c', join(folder, 'nginx.conf')]
}

function configuration({ folder, host, port }) {
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${name};`)
  return `
    ${process.getuid?.() === 0 ? 'user root;' : ''}
    daemon off;
    master_process off;
    pid nginx.pid;
    events { worker_connections 1024; }
    http {
      access_log off;
      sendfile on;
      tcp_nopush on;
      open_file_cache max=10;
      keepalive_requests 1000000000;
      ${paths.join(' ')}
      server {
        listen ${host}:${port};
        location = /v1/store/orders {
          default_type 'application/json';
          alias ${join(folder, 'orders.json')};
        }
      }
    }
  `
}
