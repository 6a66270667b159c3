// The files of deploy/ refer to what exists, and pass linters.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { validate } from 'dockerfile-utils'
import t from 'tap'
import { parse, parseAllDocuments } from 'yaml'
import { loadConfig } from '../../config/environment.ts'
import { parseConnectionString } from '../../store/postgres/connection-string.ts'
import { build } from '../fixtures/app.ts'

interface Manifest {
  files: string[]
  dependencies: Record<string, string>
}
interface Lock {
  packages: Record<string, { dev?: boolean; cpu?: string[]; hasInstallScript?: boolean }>
}
const read = (path: string) => readFile(path, 'utf8')
const manifest: Manifest = JSON.parse(await read('package.json'))
const dockerfile = await read('deploy/Dockerfile')
const compose = parse(await read('deploy/compose.yaml'), { merge: true })
const objects = parseAllDocuments(await read('deploy/kubernetes.yaml')).map((document) => document.toJS())

t.test('the image has every folder of the package, and its build context every file that it needs', async (t) => {
  t.strictSame(validate(dockerfile), [])
  const copied = [...dockerfile.matchAll(/^COPY --from=build \/app\/(\S+) /gm)].map(([, path]) => path)
  const notInImage = ['deploy', 'docs']
  const folders = manifest.files.map((path) => path.split('/')[0] as string).filter((path) => /^[a-z]+$/.test(path))
  const needed = folders.filter((path) => !notInImage.includes(path))
  t.strictSame(copied.toSorted(), [...new Set([...needed, 'node_modules', 'package.json'])].toSorted())
  const sent = [...(await read('.dockerignore')).matchAll(/^!(.+)$/gm)].map(([, path]) => path as string)
  const isSent = (path: string) => sent.some((pattern) => path === pattern.replace('*', path.replace(/\.ts$/, '')))
  const sources = Object.keys(JSON.parse(await read('dist/sources.json')))
  for (const path of sources) t.ok(isSent(path) || isSent(String(path.split('/')[0])), path)
  for (const path of sent) t.ok(path.includes('*') || existsSync(path), path)
})

t.test('the unit starts the command, without privileges, and lets it write only its own folder', async (t) => {
  const unit = await read('deploy/store-orders.service')
  const setting = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1]
  t.match(setting('ExecStart'), /^\/usr\/bin\/node dist\/cli\/index\.js serve$/)
  t.equal(setting('User'), 'store-orders')
  t.strictSame(
    ['ExecStartPre', 'Restart', 'RestartSec', 'UMask', 'StateDirectoryMode', 'LimitNOFILE', 'NoNewPrivileges'].map(
      setting,
    ),
    ['/usr/bin/node dist/cli/index.js check --offline', 'on-failure', '1', '0077', '0700', '65536', 'yes'],
  )
  t.equal(setting('ProtectSystem'), 'strict')
  t.equal(setting('CapabilityBoundingSet'), 'CAP_NET_BIND_SERVICE')
  const delayAtMost = 300
  t.ok(Number(setting('TimeoutStopSec')) >= delayAtMost + 10, 'the longest shutdown is not killed')
  t.equal(setting('StartLimitIntervalSec'), '0', 'no number of failed starts ends the service for good')
  const requestsPerSecond = Number(setting('LogRateLimitBurst')) / Number(setting('LogRateLimitIntervalSec'))
  t.ok(requestsPerSecond >= 50_000, 'the journal keeps a line for each request')
  const permissions = await read('deploy/permission-model.conf')
  t.strictSame(permissions.match(/--allow-fs-write=\S+/g), [`--allow-fs-write=/var/lib/${setting('StateDirectory')}/`])
  t.ok(permissions.trimEnd().endsWith('dist/cli/index.js serve'))
})

/** The properties of a Compose service and of a Kubernetes container. */
interface Container {
  name?: string
  args?: string[]
  command?: string[]
  env?: { name: string }[]
  environment?: Record<string, string>
  volumes?: string[]
  volumeMounts?: { mountPath: string }[]
}

t.test('Compose and Kubernetes use variables, commands, ports and paths that exist', async (t) => {
  const pods = objects.flatMap(({ spec }) => spec?.template?.spec ?? [])
  const { postgres: _, ...services } = compose.services
  const containers: Container[] = [
    ...Object.values<Container>(services),
    ...pods.flatMap(({ containers }) => containers),
  ]
  t.equal(containers.length, 4)

  const variables = [...(await read('.env.example')).matchAll(/^(\w+)=/gm)].map(([, name]) => name)
  const readable = [...dockerfile.matchAll(/--allow-fs-read=([^"]+)/g)].map(([, path]) => path as string)
  for (const { args, command, env, environment, volumes, volumeMounts } of containers) {
    for (const name of env?.map(({ name }) => name) ?? Object.keys(environment ?? {}))
      t.ok([...variables, 'PGPASSWORD'].includes(name), name)
    const mounted = (volumeMounts ?? []).map((each) => each.mountPath)
    for (const path of [...(volumes ?? []).map((volume) => volume.replace(/.*:/, '')), ...mounted]) {
      const isReadable = readable.some((folder) => `${path}/`.startsWith(folder))
      t.ok(isReadable, path)
    }
    t.match((args ?? command ?? ['serve'])[0], /^(serve|migrate)$/)
  }

  t.ok(existsSync(`deploy/${compose['x-server'].build.context}/${compose['x-server'].build.dockerfile}`))
  const server = pods[1].containers[0]
  const app = await build(t)
  for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'])
    t.equal((await app.inject(server[probe].httpGet.path)).statusCode, 200, probe)
  t.match(dockerfile, new RegExp(`^EXPOSE ${server.ports[0].containerPort}$`, 'm'))
  t.match(dockerfile, /^HEALTHCHECK .*\n.*\/livez/m)
  t.match(dockerfile, /METRICS_PORT \|\| process\.env\.PORT \|\| 3000\) \+ '\/livez/, 'where the probes respond')
  t.strictSame(compose.services.server.ports, ['127.0.0.1:3000:3000'], 'not for other machines')
  for (const [name, { logging }] of Object.entries<{ logging?: { options?: object } }>(compose.services))
    t.match(logging?.options, { 'max-size': String, 'max-file': String }, `the log of ${name} is bounded`)

  const delayOf = (env: Record<string, string>) => loadConfig({ NODE_ENV: 'production', ...env }).shutdownDelay / 1000
  const { value } = server.env.find(({ name }: { name: string }) => name === 'SHUTDOWN_DELAY')
  const { periodSeconds, failureThreshold } = server.readinessProbe
  t.ok(delayOf({ SHUTDOWN_DELAY: value }) > periodSeconds * failureThreshold, 'no request comes after the delay')
  const timeout = Number(loadConfig({ DATABASE_URL: 'postgres://shop@localhost' }).database?.timeout)
  t.ok(server.readinessProbe.timeoutSeconds > timeout / 1000, 'a probe learns whether the database responds')
  t.equal(server.livenessProbe.httpGet.port, 'metrics', 'which responds while the other port is full')
  const specOf = (kind: string) => objects.find((each) => each.kind === kind).spec
  const { replicas, strategy } = specOf('Deployment')
  t.strictSame(
    [strategy.rollingUpdate, specOf('PodDisruptionBudget')],
    [
      { maxUnavailable: 0, maxSurge: 1 },
      { minAvailable: replicas - 1, selector: { matchLabels: { app: 'store-orders' } } },
    ],
  )
  for (const [grace, delay] of [
    [Number.parseInt(compose.services.server.stop_grace_period, 10), delayOf({})],
    [pods[1].terminationGracePeriodSeconds, delayOf({ SHUTDOWN_DELAY: value })],
  ])
    t.ok(grace > delay + 10, 'a shutdown is not killed')
})

t.test('Compose connects to its own PostgreSQL without TLS, Kubernetes verifies the certificate', async (t) => {
  const tlsOf = (url: string) => parseConnectionString(url, { HOME: t.testdir() }).tls()
  const { server, migrate, postgres } = compose.services
  const { image, command, healthcheck } = postgres
  t.match(image, /^postgres:/)
  t.equal(command, undefined, 'TLS is off, as in the image')
  t.ok(healthcheck.test.includes('--host=127.0.0.1'), 'healthy means reachable over TCP')
  for (const { environment } of [server, migrate]) t.equal(tlsOf(environment.DATABASE_URL), false)
  t.strictSame(tlsOf(objects[0].stringData['database-url']), { rejectUnauthorized: true })
})

t.test('the image is built once, and released for every platform with its bill of materials', async (t) => {
  const { jobs } = parse(await read('.github/workflows/release.yml'))
  const { with: build } = jobs.image.steps.find(({ id }: { id?: string }) => id === 'build')
  const provenance = { sbom: true, provenance: 'mode=max' }
  t.match(build, { platforms: 'linux/amd64,linux/arm64', 'build-args': /^COMMIT=/, ...provenance })
  const [, stage, image] = dockerfile.split(/^FROM /m)
  t.match(stage, /^--platform=\$BUILDPLATFORM /)
  t.notMatch(image, /^RUN /m, 'nothing runs on the platform of the image')
  const { packages }: Lock = JSON.parse(await read('package-lock.json'))
  for (const [path, { dev, cpu, hasInstallScript }] of Object.entries(packages))
    t.ok(dev || !(cpu || hasInstallScript), path)
})

t.test('the bill of materials lists every package that is installed to run the server', async (t) => {
  const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'sbom'], { maxBuffer: 2 ** 26 })
  const bill = JSON.parse(stdout)
  t.match(bill, { bomFormat: 'CycloneDX', specVersion: /^1\.\d$/, metadata: { component: { name: 'store-orders' } } })
  const listed: string[] = bill.components.map(({ purl }: { purl: string }) => decodeURIComponent(purl))
  for (const [name, version] of Object.entries(manifest.dependencies))
    t.ok(listed.includes(`pkg:npm/${name}@${version}`), name)
  t.notMatch(listed.join('\n'), 'pkg:npm/tap@', 'development only')
  for (const { hashes } of bill.components) t.match(hashes ?? [{ alg: 'SHA-512' }], [{ alg: 'SHA-512' }])
})

t.test('every file of the folder is described', async (t) => {
  const described = await read('docs/operating.md')
  for (const name of (await readdir('deploy')).filter((name) => !/\.(js|sh)$/.test(name)))
    t.ok(described.includes(`deploy/${name}`), name)
})
