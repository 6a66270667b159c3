// The configuration of a Patroni node: short timeouts, and commits that wait for a standby.

/** @param {{ name: string, folder: string, data: string, port: number, restPort: number, etcd: string, bin: string }} node */
export function patroniConfig({ name, folder, data, port, restPort, etcd, bin }) {
  const address = `127.0.0.1:${port}`
  const rest = `127.0.0.1:${restPort}`
  const user = { username: 'postgres', password: 'chaos' }
  return {
    scope: 'store-orders',
    name,
    restapi: { listen: rest, connect_address: rest },
    etcd3: { host: etcd },
    bootstrap: {
      dcs: {
        ttl: 20,
        loop_wait: 2,
        retry_timeout: 5,
        synchronous_mode: true,
        postgresql: { use_pg_rewind: true, parameters: { max_connections: 100, wal_log_hints: 'on' } },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }],
    },
    postgresql: {
      listen: address,
      connect_address: address,
      data_dir: data,
      bin_dir: bin,
      pgpass: `${folder}/${name}.pgpass`,
      authentication: { superuser: user, replication: user, rewind: user },
      parameters: { unix_socket_directories: folder },
      pg_hba: ['local all all trust', 'host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
    },
  }
}
